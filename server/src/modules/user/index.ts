export { assertMayTouch, userOwner } from './user.policy.ts'
export { userService } from './user.service.ts'
