import type { FreightLoad } from '@waybill/contract/order/day'
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { State } from '@waybill/contract/kit/fields'
import type { CARGO_ACTIONS, LOCATION_KINDS, OrderWrite } from '@waybill/contract/order/order'
import type { OrderSection } from '@waybill/contract/order/presence'
import type { Deviation, Disposition, OrderStatus, RouteStatus } from '@waybill/contract/order/status'
import type { TerminKind } from '@waybill/contract/order/termin/termin'
import type { ColumnTypes, RowWith } from '../../kit/database/columns.ts'
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
      /** what approved extras come to; kept when one is decided (decision 079) */
      extrasPriceCents: Generated<number>
      extrasCostCents: Generated<number>
      searchKey: Generated<string>
      lastRouteN: Generated<number>
      /** causes of mails that were there before mails were planned; null: not looked at yet (decision 063) */
      mailsPassed: Generated<string[] | null>
      statusRank: GeneratedAlways<number>
      dueAt: GeneratedAlways<string | null>
    }
    order_presence: { orderId: number; userId: number; section: OrderSection | null; seenAt: string }
    order_customer: { orderId: number; customerId: number; position: number }
    /** what of the freight is billed; kept by triggers when an invoice is sent or the order changes (decision 048) */
    billed_order: {
      orderId: number
      invoiceId: number
      invoiceNumber: string
      billedCents: number
      priceCents: number | null
      differs: GeneratedAlways<boolean>
      /** what was carried, then and now (decision 059) */
      billedLoad: FreightLoad | null
      load: FreightLoad | null
      loadDiffers: GeneratedAlways<boolean>
    }
    /** what nobody has billed, kept by triggers; an order that ended or is billed may still stand here */
    unbilled_order: { orderId: number }
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
      delayReason: string | null
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
      paymentPeriodDays: number | null
      vehicleTypeId: number | null
      signedBy: string | null
      extraData: string | null
    }
    /** Carriers that had a route before it was given to another one, or to nobody. */
    former_carrier: { routeId: number; carrierCompanyId: number }
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
      /** the carriers that it withdraws from are told the reason */
      tellsCarrier: Generated<boolean>
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

type Line = OrderWrite['cargo'][number]
type Stop = OrderWrite['locations'][number]
type Drive = OrderWrite['routes'][number]

/**
 * The columns of the order itself that a save or a move writes.
 * Title and search key are worked out where they are written.
 */
export type OrderColumns = ColumnTypes<
  'order',
  | 'id'
  | 'version'
  | 'mergedIntoId'
  | 'customerTitle'
  | 'searchKey'
  | 'statusRank'
  | 'dueAt'
  | 'mailsPassed'
  | 'extrasPriceCents'
  | 'extrasCostCents',
  Exclude<keyof OrderWrite, 'cargo' | 'locations' | 'routes'>
>
export const ORDER_COLUMNS = {
  number: 'text',
  status: 'text',
  state: 'text',
  contactPersonId: 'bigint',
  billingCustomerId: 'bigint',
  customerOrderNumber: 'text',
  departmentId: 'bigint',
  caseWorkerId: 'bigint',
  invoiceText: 'text',
  description: 'text',
  internalComments: 'text',
  originalMessage: 'text',
  disposition: 'text',
  deviations: 'text[]',
  customerPriceCents: 'bigint',
  customerVatBp: 'int',
  paymentPeriodDays: 'int',
  vehicleTypeId: 'bigint',
  isLiftRequired: 'boolean',
  isTransshipmentForbidden: 'boolean',
  creatorId: 'bigint',
  createdAt: 'timestamptz',
  podWaiverReason: 'text',
  newAt: 'timestamptz',
  scheduledAt: 'timestamptz',
  inTransitAt: 'timestamptz',
  arrivedAt: 'timestamptz',
  deliveredAt: 'timestamptz',
  completedAt: 'timestamptz',
  canceledAt: 'timestamptz',
  mergedAt: 'timestamptz',
  customerId: 'bigint',
  firstLoadingAt: 'timestamptz',
  lastUnloadingAt: 'timestamptz',
  fromCountryCode: 'text',
  fromCity: 'text',
  fromTimeZone: 'text',
  toCountryCode: 'text',
  toCity: 'text',
  toTimeZone: 'text',
  laneKey: 'text',
  viaCount: 'int',
  expectedLoadingAt: 'timestamptz',
  expectedUnloadingAt: 'timestamptz',
  carrierCostCents: 'bigint',
  incomeCents: 'bigint',
  marginBp: 'int',
  lastRouteN: 'int',
  customerIds: 'bigint[]',
  managerIds: 'bigint[]',
  carrierCompanyIds: 'bigint[]',
  isMergeResult: 'boolean',
} as const satisfies OrderColumns

/**
 * The columns of the order's children that a save writes, by their list.
 * What of a body is no column of its child is named here.
 */
export interface ChildColumns {
  customers: ColumnTypes<'order_customer', 'orderId'>
  managers: ColumnTypes<'order_manager', 'orderId'>
  cargo: ColumnTypes<'cargo', 'orderId' | 'sourceOrderId', Exclude<keyof Line, 'key' | 'specialHandlingTypeIds'>>
  handling: ColumnTypes<'cargo_special_handling'>
  locations: ColumnTypes<
    'location',
    'orderId',
    Exclude<keyof Stop, 'key' | 'termin' | 'cargoActions'> | Exclude<keyof NonNullable<Stop['termin']>, 'kind'>
  >
  actions: ColumnTypes<'cargo_action'>
  routes: ColumnTypes<'route', 'orderId', Exclude<keyof Drive, 'key' | 'locationIds' | 'locationKeys' | 'assignment'>>
  assignments: ColumnTypes<'assignment', never, Exclude<keyof NonNullable<Drive['assignment']>, 'driverIds'>>
  drivers: ColumnTypes<'assignment_driver'>
}
export const CHILD_COLUMNS = {
  customers: { customerId: 'bigint', position: 'int' },
  managers: { userId: 'bigint' },
  cargo: {
    id: 'bigint',
    position: 'int',
    customerId: 'bigint',
    title: 'text',
    cargoTypeId: 'bigint',
    unitTypeId: 'bigint',
    quantity: 'double precision',
    packages: 'int',
    lengthCm: 'double precision',
    widthCm: 'double precision',
    heightCm: 'double precision',
    stackingFactor: 'int',
    weightKg: 'double precision',
    volumeM3: 'double precision',
    isVolumeCalculated: 'boolean',
    ldm: 'double precision',
    isLdmCalculated: 'boolean',
    valueCents: 'bigint',
    instructions: 'text',
    temperatureFrom: 'double precision',
    temperatureTo: 'double precision',
    marks: 'text',
    adr: 'jsonb',
  },
  handling: { cargoId: 'bigint', specialHandlingTypeId: 'bigint' },
  locations: {
    id: 'bigint',
    position: 'int',
    routeId: 'bigint',
    routePosition: 'int',
    kind: 'text',
    terminKind: 'text',
    dateFrom: 'date',
    timeFrom: 'text',
    dateTo: 'date',
    timeTo: 'text',
    startAt: 'timestamptz',
    endAt: 'timestamptz',
    timeZone: 'text',
    companyTitle: 'text',
    address: 'text',
    countryId: 'bigint',
    postal: 'text',
    city: 'text',
    latitude: 'double precision',
    longitude: 'double precision',
    contactPerson: 'text',
    phone: 'text',
    reference: 'text',
    comment: 'text',
    specialInstructions: 'text',
    customerPriceCents: 'bigint',
    carrierPriceCents: 'bigint',
    delayReason: 'text',
    plannedAt: 'timestamptz',
    arrivedAt: 'timestamptz',
    loadedAt: 'timestamptz',
    unloadedAt: 'timestamptz',
    canceledAt: 'timestamptz',
  },
  actions: { cargoId: 'bigint', locationId: 'bigint', action: 'text' },
  routes: {
    id: 'bigint',
    n: 'int',
    status: 'text',
    statusDates: 'jsonb',
    distanceKm: 'double precision',
    isDistanceEstimated: 'boolean',
    customerPriceCents: 'bigint',
  },
  assignments: {
    id: 'bigint',
    routeId: 'bigint',
    carrierCompanyId: 'bigint',
    ownFleet: 'boolean',
    driverText: 'text',
    plateNumber: 'text',
    disponentName: 'text',
    disponentPhone: 'text',
    disponentEmail: 'text',
    costCents: 'bigint',
    vatBp: 'int',
    paymentPeriodDays: 'int',
    vehicleTypeId: 'bigint',
    signedBy: 'text',
    extraData: 'text',
  },
  drivers: { assignmentId: 'bigint', position: 'int', driverId: 'bigint', userId: 'bigint' },
} as const satisfies ChildColumns

type Row<Table extends keyof Tables, List extends keyof ChildColumns> = RowWith<Table, (typeof CHILD_COLUMNS)[List]>

/** An order's children as they are stored, with the ids they have or will have. */
export interface OrderChildren {
  customers: Row<'order_customer', 'customers'>[]
  managers: Row<'order_manager', 'managers'>[]
  cargo: Row<'cargo', 'cargo'>[]
  handling: Row<'cargo_special_handling', 'handling'>[]
  locations: Row<'location', 'locations'>[]
  actions: Row<'cargo_action', 'actions'>[]
  routes: Row<'route', 'routes'>[]
  assignments: Row<'assignment', 'assignments'>[]
  drivers: Row<'assignment_driver', 'drivers'>[]
}
