import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { State } from '@waybill/contract/kit/fields'
import type { LOCATION_KINDS, CARGO_ACTIONS } from '@waybill/contract/order/order'
import type { OrderSection } from '@waybill/contract/order/presence'
import type { Deviation, Disposition, OrderStatus, RouteStatus } from '@waybill/contract/order/status'
import type { TerminKind } from '@waybill/contract/order/termin'
import type { Tables } from '../../kit/database/db.ts'

declare module '../../kit/database/db.ts' {
  interface Tables {
    order: {
      id: Generated<number>
      version: Generated<number>
      number: string
      status: Generated<OrderStatus>
      state: Generated<State>
      contactPersonId: number | null
      billingCustomerId: number | null
      customerOrderNumber: string | null
      departmentId: number
      caseWorkerId: number | null
      invoiceText: string | null
      description: string | null
      internalComments: string | null
      originalMessage: string | null
      disposition: Disposition | null
      deviations: Generated<Deviation[]>
      customerPriceCents: number | null
      customerVatBp: number | null
      paymentPeriodDays: number | null
      vehicleTypeId: number | null
      isLiftRequired: Generated<boolean>
      isTransshipmentForbidden: Generated<boolean>
      creatorId: number | null
      createdAt: string
      mergedIntoId: number | null
      isMergeResult: Generated<boolean>
      podWaiverReason: string | null
      newAt: string | null
      scheduledAt: string | null
      inTransitAt: string | null
      arrivedAt: string | null
      deliveredAt: string | null
      completedAt: string | null
      canceledAt: string | null
      mergedAt: string | null
      customerId: number
      customerTitle: string
      customerIds: Generated<number[]>
      managerIds: Generated<number[]>
      carrierCompanyIds: Generated<number[]>
      firstLoadingAt: string | null
      lastUnloadingAt: string | null
      fromCountryCode: string | null
      fromCity: string | null
      fromTimeZone: string | null
      toCountryCode: string | null
      toCity: string | null
      toTimeZone: string | null
      laneKey: string | null
      viaCount: Generated<number>
      expectedLoadingAt: string | null
      expectedUnloadingAt: string | null
      carrierCostCents: number | null
      incomeCents: number | null
      marginBp: number | null
      searchKey: Generated<string>
      lastRouteN: Generated<number>
      statusRank: GeneratedAlways<number>
      dueAt: GeneratedAlways<string | null>
    }
    order_presence: { orderId: number; userId: number; section: OrderSection | null; seenAt: string }
    order_customer: { orderId: number; customerId: number; position: number }
    order_manager: { orderId: number; userId: number }
    cargo: {
      id: Generated<number>
      orderId: number
      position: number
      customerId: number | null
      title: string | null
      cargoTypeId: number | null
      unitTypeId: number | null
      quantity: number
      packages: number | null
      lengthCm: number | null
      widthCm: number | null
      heightCm: number | null
      stackingFactor: number
      weightKg: number | null
      volumeM3: number | null
      isVolumeCalculated: boolean
      ldm: number | null
      isLdmCalculated: boolean
      valueCents: number | null
      instructions: string | null
      temperatureFrom: number | null
      temperatureTo: number | null
      marks: string | null
      adr: JSONColumnType<{ unNumber: string; adrClass: string }> | null
      sourceOrderId: number | null
    }
    cargo_special_handling: { cargoId: number; specialHandlingTypeId: number }
    order_move: { from: OrderStatus; to: OrderStatus }
    route: {
      id: Generated<number>
      orderId: number
      n: number
      status: Generated<RouteStatus>
      statusDates: JSONColumnType<Partial<Record<OrderStatus, string>>>
      distanceKm: number | null
      isDistanceEstimated: Generated<boolean>
      customerPriceCents: number | null
    }
    location: {
      id: Generated<number>
      orderId: number
      position: number
      routeId: number | null
      routePosition: number | null
      kind: (typeof LOCATION_KINDS)[number]
      terminKind: TerminKind | null
      dateFrom: string | null
      timeFrom: string | null
      dateTo: string | null
      timeTo: string | null
      startAt: string | null
      endAt: string | null
      timeZone: string
      companyTitle: string | null
      address: string | null
      countryId: number
      postal: string | null
      city: string | null
      latitude: number | null
      longitude: number | null
      contactPerson: string | null
      phone: string | null
      reference: string | null
      comment: string | null
      specialInstructions: string | null
      customerPriceCents: number | null
      carrierPriceCents: number | null
      plannedAt: string | null
      arrivedAt: string | null
      loadedAt: string | null
      unloadedAt: string | null
      canceledAt: string | null
    }
    cargo_action: { cargoId: number; locationId: number; action: (typeof CARGO_ACTIONS)[number] }
    assignment: {
      id: Generated<number>
      routeId: number
      carrierCompanyId: number | null
      ownFleet: Generated<boolean>
      driverText: string | null
      plateNumber: string | null
      disponentName: string | null
      disponentPhone: string | null
      disponentEmail: string | null
      costCents: number | null
      vatBp: Generated<number>
      vehicleTypeId: number | null
      signedBy: string | null
      extraData: string | null
    }
    assignment_driver: { assignmentId: number; position: number; driverId: number | null; userId: number | null }
    status_move: {
      id: Generated<number>
      orderId: number
      routeId: number | null
      from: OrderStatus
      to: OrderStatus
      at: string
      movedAt: string
      actorId: number | null
      reason: string | null
      before: JSONColumnType<object> | null
      undoneAt: string | null
    }
  }
}

/** The column that keeps when an order last reached a status. */
export const STATUS_COLUMNS = {
  new: 'newAt',
  scheduled: 'scheduledAt',
  in_transit: 'inTransitAt',
  arrived: 'arrivedAt',
  delivered: 'deliveredAt',
  completed: 'completedAt',
  canceled: 'canceledAt',
  merged: 'mergedAt',
} as const satisfies Record<OrderStatus, keyof Tables['order']>
