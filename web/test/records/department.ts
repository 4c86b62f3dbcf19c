import type { Department } from '@waybill/contract/department'
import { FTL_WEST, GERMANY, WAYBILL } from './master-data.ts'

export const departmentOf = (given: Partial<Department> = {}): Department => ({
  id: FTL_WEST.id,
  version: 1,
  abbreviation: FTL_WEST.title,
  companyId: WAYBILL.id,
  countryId: GERMANY.id,
  city: null,
  phone: null,
  email: null,
  isNeutral: false,
  showsCarrier: false,
  demandedInsuranceCents: null,
  state: 'active',
  company: WAYBILL,
  country: GERMANY,
  createdAt: '2026-11-02T09:00:00Z',
  ...given,
})
