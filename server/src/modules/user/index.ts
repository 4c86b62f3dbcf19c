export { assertHoldsRightsOf, assertMayTouch, GUARDED_DAYS } from './user.policy.ts'
export { mayBeTheOnlyOne, missingRoles } from './named-in-settings.ts'
export { findProvidedRole, giveProvidedRole, makeProvidedUser, type ProvidedRole } from './provided-user.ts'
export { tellChanged, userService } from './user.service.ts'
