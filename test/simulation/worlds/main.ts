import { simulation } from './rows/run';
import { main } from './simulation';

void main(simulation);
