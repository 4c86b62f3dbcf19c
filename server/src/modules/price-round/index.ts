export { closeOvertaken } from './price-round.service.ts'
