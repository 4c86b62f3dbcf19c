import { roleApi, userApi, type Role, type User } from '@waybill/contract/user'
import { pageOf, server } from '../kit/fake-server.ts'
import { keep, type Stored } from '../kit/stored.ts'

/** A clerk without a role. */
export const userOf = (given: Partial<User> = {}): User => ({
  id: 5,
  version: 1,
  fullName: 'Vera Probst',
  email: 'vera@waybill.example',
  phone: null,
  defaultLanguage: 'en',
  roleId: null,
  position: { title: 'Clerk', isAdmin: false },
  departmentId: null,
  plateNumber: null,
  state: 'active',
  role: null,
  department: null,
  createdAt: '2026-11-02T09:00:00Z',
  twoFactorEnabled: false,
  passkeys: 0,
  hasPassword: true,
  invitedAt: null,
  ...given,
})

/** A role for one's own orders. */
export const roleOf = (given: Partial<Role> = {}): Role => ({
  id: 91,
  version: 1,
  title: 'Rolle 1',
  titleEn: null,
  titleDe: null,
  titlePl: null,
  shownTitle: given.title ?? 'Rolle 1',
  isEnabled: true,
  permissions: ['ASSIGNED_ORDERS'],
  isTwoFactorRequired: false,
  state: 'active',
  ...given,
})

/** The roles that there are: in their list and in select boxes, and each by its id. */
export function answerRoles(roles: Role[]): void {
  server.answer(roleApi.list, pageOf(roles))
  server.offer(roleApi, roles)
  server.answer(roleApi.get, ({ params }) => roles.find(({ id }) => id === params.id)!)
}

/** Keeps a person, and in the list of people nobody else. */
export function keepUser(user: User): Stored<User> {
  const stored = keep(userApi, user)
  server.answer(userApi.list, ({ query }) =>
    pageOf([stored.now()].filter(({ state }) => query.state === undefined || query.state === state)),
  )
  return stored
}
