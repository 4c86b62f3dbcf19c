export { assertHoldsRightsOf, assertMayTouch, GUARDED_DAYS } from './user.policy.ts'
export { tellAddress, userService } from './user.service.ts'
