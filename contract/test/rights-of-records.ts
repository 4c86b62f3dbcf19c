import type { Permission } from '../src/permissions.ts'

/** Who reads and writes a kind of record, and whether everybody signed in may pick from it in a select box. */
interface RightOfRecord {
  right: readonly Permission[]
  /** who reads it, where these are more */
  read?: readonly Permission[]
  isOpenInCompactForm: boolean
}

const settings: RightOfRecord = { right: ['SETTINGS_ACCESS'], isOpenInCompactForm: true }
const orders: RightOfRecord = { right: ['ORDERS_MANAGEMENT', 'ASSIGNED_ORDERS'], isOpenInCompactForm: false }

/**
 * What the reference says of each resource, written down a second time on purpose: a right that changes in the contract
 * or in the table of screens must be changed here by somebody. The server's endpoints and the web's screens are held
 * to it.
 */
export const RIGHTS_OF_RECORDS: Readonly<Record<string, RightOfRecord>> = {
  countries: settings,
  companies: settings,
  departments: settings,
  'unit-types': settings,
  'vehicle-types': settings,
  'cargo-types': settings,
  'special-handling-types': settings,
  users: { right: ['USERS_MANAGEMENT'], isOpenInCompactForm: true },
  'user-roles': { right: ['USERS_MANAGEMENT'], isOpenInCompactForm: false },
  customers: { right: ['CUSTOMER_MANAGEMENT'], isOpenInCompactForm: true },
  'carrier-companies': { right: ['CARRIER_MANAGEMENT'], isOpenInCompactForm: true },
  orders,
  routes: orders,
  invoices: { right: ['INVOICES_PROCESSING'], isOpenInCompactForm: false },
  'open-items': { right: ['INVOICES_PROCESSING'], isOpenInCompactForm: false },
  payments: { right: ['INVOICES_PROCESSING'], isOpenInCompactForm: false },
  'payment-files': { right: ['INVOICES_PROCESSING'], isOpenInCompactForm: false },
  'bank-statements': { right: ['INVOICES_PROCESSING'], isOpenInCompactForm: false },
  'bank-entries': { right: ['INVOICES_PROCESSING'], isOpenInCompactForm: false },
  bookkeeping: { right: ['INVOICES_PROCESSING'], isOpenInCompactForm: false },
  salutations: settings,
  vehicles: { ...settings, read: ['SETTINGS_ACCESS', 'ORDERS_MANAGEMENT', 'ASSIGNED_ORDERS'] },
  'emission-factors': settings,
  'load-carrier-types': settings,
  'load-carrier-places': { right: ['CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT'], isOpenInCompactForm: false },
  'rate-cards': { right: ['CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT'], isOpenInCompactForm: false },
  'load-carriers': { right: ['CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT'], isOpenInCompactForm: false },
}
