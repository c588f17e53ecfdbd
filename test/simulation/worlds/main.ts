import { simulationOf } from './rows/run';
import { main } from './simulation';

void main(simulationOf, 'faults');
