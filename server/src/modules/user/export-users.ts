import type { RowOf } from '@waybill/contract/kit/resource'
import type { roleApi, User } from '@waybill/contract/user'
import { createdColumn, shownTitleColumn, stateColumn, text, yesNo, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

const { users: USERS, roles: ROLES } = wordingsOf('user')

export const userSheet: SheetOf<User> = {
  title: USERS.title,
  columns: [
    text(USERS.columns.fullName, ({ fullName }) => fullName),
    text(USERS.columns.email, ({ email }) => email),
    text(USERS.columns.phone, ({ phone }) => phone),
    text(USERS.columns.role, ({ role }) => role?.title),
    text(USERS.columns.position, ({ position }) => position?.title),
    yesNo(USERS.columns.isAdmin, ({ position }) => position?.isAdmin ?? false),
    text(USERS.columns.department, ({ department }) => department?.title),
    text(USERS.columns.plateNumber, ({ plateNumber }) => plateNumber),
    yesNo(USERS.columns.secondFactor, ({ twoFactorEnabled, passkeys }) => twoFactorEnabled || passkeys > 0),
    createdColumn,
    stateColumn,
  ],
}

export const roleSheet: SheetOf<RowOf<typeof roleApi>> = {
  title: ROLES.title,
  columns: [
    shownTitleColumn,
    yesNo(ROLES.columns.isEnabled, ({ isEnabled }) => isEnabled),
    yesNo(ROLES.columns.isSecondFactorRequired, ({ isTwoFactorRequired }) => isTwoFactorRequired),
    text(ROLES.columns.permissions, ({ permissions }, say) =>
      permissions.map((permission) => say(ROLES.permissions[permission])).join(', '),
    ),
    stateColumn,
  ],
}
