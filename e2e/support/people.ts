import type { Permission } from '@waybill/contract/permissions'
import type { Page } from '@playwright/test'
import type { Waybill } from './waybill.ts'

export interface Person {
  id: number
  email: string
  password: string
  roleId: number
}

const PASSWORD = 'Grey-Heron-41'

let count = 0

/** The link in the newest mail to this address that leads to `path`. */
export async function linkIn({ mails }: Waybill, address: string, path: string): Promise<string> {
  const link = new RegExp(`https?://[^\\s/]+${path}[A-Za-z0-9_-]+`)
  const fits = ({ to = [], text = '' }: (typeof mails.mails)[number]) =>
    to.some((one) => one.address === address) && link.test(text)
  await mails.waitFor(fits)
  return link.exec(mails.mails.findLast(fits)!.text!)![0]
}

interface Wanted {
  permissions?: readonly Permission[]
  isAdmin?: boolean
  language?: string
  isTwoFactorRequired?: boolean
  departmentId?: number
}

/** A person as an administrator makes one: a role with exactly these permissions, a user, an invitation by mail. */
async function inviteUser(
  { api }: Waybill,
  { permissions = [], isAdmin = false, language = 'en', isTwoFactorRequired = false, departmentId }: Wanted = {},
): Promise<Omit<Person, 'password'>> {
  count += 1
  const done = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const { status, body: answer } = await api(method, path, body, headers)
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer as { id: number; version: number }
  }
  const email = `person${count}@waybill.example`
  const role = await done('POST', 'user-roles', { title: `Role ${count}`, permissions, isTwoFactorRequired })
  const user = await done('POST', 'users', {
    fullName: `Person ${count}`,
    email,
    roleId: role.id,
    defaultLanguage: language,
    position: { title: 'Clerk', isAdmin },
    departmentId,
  })
  await done('POST', `users/${user.id}/invite`, undefined, { 'if-match': `"${user.version}"` })
  return { id: user.id, email, roleId: role.id }
}

/** The same, who has followed the invitation's link and chosen a password. */
export async function addPerson(waybill: Waybill, wanted: Wanted = {}): Promise<Person> {
  const invited = await inviteUser(waybill, wanted)
  const token = (await linkIn(waybill, invited.email, '/auth/recovery-password/')).split('/').at(-1)!
  const { status, body } = await waybill.api('POST', `profile/reset_password?token=${token}`, {
    password: PASSWORD,
    confirmPassword: PASSWORD,
  })
  if (status !== 204) throw new Error(`a first password: ${JSON.stringify(body)}`)
  return { ...invited, password: PASSWORD }
}

interface Tokens {
  token: string
  refreshToken: string
  expiresIn: number
}

/** A session of this person, as the login page gets it. */
export async function tokensOf(
  { api }: Waybill,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<Tokens> {
  const { status, body } = await api('POST', 'token', { email, password })
  if (status !== 200) throw new Error(`signing in as ${email}: ${JSON.stringify(body)}`)
  return body
}

/**
 * Fills the login page and sends it, once it is there: the address says so before, and the page that one leaves may
 * have fields of these names.
 */
export async function fillLogin(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.locator('input[autocomplete="username"]').fill(email)
  await page.locator('input[autocomplete="current-password"]').fill(password)
  await page.keyboard.press('Enter')
}

/** Makes the browser that of a signed-in person without the login page, which journeys of its own are about. */
export async function signInAs(
  page: Page,
  waybill: Waybill,
  person: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  const tokens = await tokensOf(waybill, person)
  // The lightest page of this origin: only on one of its pages can its storage be written.
  await page.goto(`${waybill.url}/favicon.svg`)
  await page.evaluate((kept) => {
    localStorage.setItem('authData', JSON.stringify(kept))
    localStorage.setItem('id_token', kept.token)
  }, tokens)
}
