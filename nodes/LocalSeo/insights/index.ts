import type { TableName } from '../resources';
import { dailyRows, summaryRows, type Table } from './rows';

/** A response as daily rows or totals, and the days of a period. */
export { readDays } from './days';
export { isOnePageOfSeveral } from './onePage';
export { keptPeriod, type Period, withinPeriod } from './period';
export { labelReading, type TableForm } from './rows';

/** The tables that a resource may declare, by the value of the parameter Output. */
export const TABLES: Record<TableName, Table> = { rows: dailyRows, summary: summaryRows };
