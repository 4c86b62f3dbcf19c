export { accountStatement, balancesOf, noteStatement, refuseChanged, type AccountStatement } from './statement.ts'
export { holderAddress, OWNER_KINDS } from './holder.policy.ts'
export { followStops } from './stop.service.ts'
