export { keepEmissions } from './keep-emissions.job.ts'
export { emissionOfOrders } from './order-emission.query.ts'
