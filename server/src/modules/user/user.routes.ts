import { roleApi, userApi } from '@waybill/contract/user'
import { bindResource, type Host } from '../../kit/routes.ts'
import { roleService } from './role.service.ts'
import { userService } from './user.service.ts'

export function bindUserRoutes(host: Host): void {
  bindResource(host, userApi, userService)
  bindResource(host, roleApi, roleService)
}
