export { keepEmissions } from './keep-emissions.job.ts'
