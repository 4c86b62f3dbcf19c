import type { Generated, GeneratedAlways } from 'kysely'
import type { Fuel, VehicleClass } from '@waybill/contract/emission/factor'
import type { State } from '@waybill/contract/kit/fields'

declare module '../../kit/database/db.ts' {
  interface Tables {
    emission_factor: {
      id: Generated<number>
      version: Generated<number>
      title: string
      validFrom: string
      vehicleClass: VehicleClass
      fuel: Fuel
      wellToTank: number
      tankToWheel: number
      emptyBp: number | null
      isFallback: Generated<boolean>
      source: string
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
    }
    emission_factor_vehicle_type: { factorId: number; vehicleTypeId: number }
    /** what an order comes to, for each of its customers (decision 115) */
    order_emission: {
      orderId: number
      part: number
      customerId: number
      departmentId: number
      day: string
      month: string
      kgKm: number
      wttGrams: number
      ttwGrams: number
      isComplete: boolean
      isOrderComplete: boolean
      factorIds: number[]
    }
    /** orders to be worked out again; noted by triggers, and when a factor begins */
    emission_due: { id: GeneratedAlways<number>; orderId: number }
  }
}
