import { main } from '../simulation';
import { simulation } from './run';

void main(simulation);
