import type { Texts } from '@waybill/contract/errors'
import type { RowOf } from '@waybill/contract/kit/resource'
import type { Permission } from '@waybill/contract/permissions'
import type { roleApi, User } from '@waybill/contract/user'
import { createdColumn, stateColumn, text, titleColumn, yesNo, type SheetOf } from '../../kit/tables/sheet.ts'

export const userSheet: SheetOf<User> = {
  title: { en: 'Users', de: 'Benutzer', pl: 'Użytkownicy' },
  columns: [
    text({ en: 'Full name', de: 'Vollständiger Name', pl: 'Imię i nazwisko' }, ({ fullName }) => fullName),
    text({ en: 'Email', de: 'E-Mail', pl: 'E-mail' }, ({ email }) => email),
    text({ en: 'Phone', de: 'Telefon', pl: 'Telefon' }, ({ phone }) => phone),
    text({ en: 'Role', de: 'Rolle', pl: 'Rola' }, ({ role }) => role?.title),
    text({ en: 'Position', de: 'Position', pl: 'Stanowisko' }, ({ position }) => position?.title),
    yesNo(
      { en: 'Administrator', de: 'Administrator', pl: 'Administrator' },
      ({ position }) => position?.isAdmin ?? false,
    ),
    text({ en: 'Department', de: 'Abteilung', pl: 'Dział' }, ({ department }) => department?.title),
    text({ en: 'Plate number', de: 'Kennzeichen', pl: 'Nr rejestracyjny' }, ({ plateNumber }) => plateNumber),
    yesNo(
      { en: 'Second factor', de: 'Zweiter Faktor', pl: 'Drugi składnik' },
      ({ twoFactorEnabled }) => twoFactorEnabled,
    ),
    createdColumn,
    stateColumn,
  ],
}

const PERMISSIONS: Readonly<Record<Permission, Texts>> = {
  USERS_MANAGEMENT: { en: 'Users and roles', de: 'Benutzer und Rollen', pl: 'Użytkownicy i role' },
  ORDERS_MANAGEMENT: { en: 'All orders', de: 'Alle Aufträge', pl: 'Wszystkie zlecenia' },
  ASSIGNED_ORDERS: { en: 'Own orders', de: 'Eigene Aufträge', pl: 'Własne zlecenia' },
  INVOICES_PROCESSING: { en: 'Invoices', de: 'Rechnungen', pl: 'Faktury' },
  CUSTOMER_MANAGEMENT: { en: 'Customers', de: 'Kunden', pl: 'Klienci' },
  CARRIER_MANAGEMENT: { en: 'Carriers', de: 'Frachtführer', pl: 'Przewoźnicy' },
  SETTINGS_ACCESS: { en: 'Settings', de: 'Einstellungen', pl: 'Ustawienia' },
  FULL_ACCESS: { en: 'Full access', de: 'Vollzugriff', pl: 'Pełny dostęp' },
}

export const roleSheet: SheetOf<RowOf<typeof roleApi>> = {
  title: { en: 'Roles', de: 'Rollen', pl: 'Role' },
  columns: [
    titleColumn,
    yesNo({ en: 'Enabled', de: 'Eingeschaltet', pl: 'Włączona' }, ({ isEnabled }) => isEnabled),
    yesNo(
      { en: 'Second factor required', de: 'Zweiter Faktor verlangt', pl: 'Wymagany drugi składnik' },
      ({ isTwoFactorRequired }) => isTwoFactorRequired,
    ),
    text({ en: 'Permissions', de: 'Rechte', pl: 'Uprawnienia' }, ({ permissions }, say) =>
      permissions.map((permission) => say(PERMISSIONS[permission])).join(', '),
    ),
    stateColumn,
  ],
}
