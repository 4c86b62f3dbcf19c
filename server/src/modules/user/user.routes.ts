import { roleApi, userApi } from '@waybill/contract/user'
import { bindResource, type Host } from '../../kit/http/routes.ts'
import { roleSheet, userSheet } from './export-users.ts'
import { roleService } from './role.service.ts'
import { userService } from './user.service.ts'

export function bindUserRoutes(host: Host): void {
  bindResource(host, userApi, userService, userSheet)
  bindResource(host, roleApi, roleService, roleSheet)
}
