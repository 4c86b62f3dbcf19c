export { assertMayTouch } from './user.policy.ts'
export { userService } from './user.service.ts'
