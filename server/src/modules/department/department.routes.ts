import { departmentApi } from '@waybill/contract/department'
import { bindResource, type Host } from '../../kit/http/routes.ts'
import { departmentService } from './department.service.ts'
import { departmentSheet } from './export-departments.ts'

export const bindDepartmentRoutes = (host: Host): void =>
  bindResource(host, departmentApi, departmentService, departmentSheet)
