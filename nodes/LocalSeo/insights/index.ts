/** The insights of locations as tables: daily rows, one row per location, or as they are. */
export { readDates } from './dates';
export { readPeriod } from './period';
export { dailyRows, rawItems, type InsightOptions, settled, summaryRow, type Table } from './table';
