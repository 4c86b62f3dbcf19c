export { assertHoldsRightsOf, assertMayTouch, GUARDED_DAYS } from './user.policy.ts'
export { tellChanged, userService } from './user.service.ts'
