import type { Waybill } from './waybill.ts'

export interface Person {
  id: number
  email: string
  password: string
  roleId: number
}

const PASSWORD = 'Grey-Heron-41'

let count = 0

/** The link in the mail to this address whose subject or text fits; mails come over the wire. */
async function linkIn({ mails }: Waybill, address: string, path: string): Promise<string> {
  const mail = await mails.waitFor(({ to, text = '' }) => (to ?? []).some((one) => one.address === address) && text.includes(path))
  return /https?:\/\/\S+/.exec(mail.text!.slice(mail.text!.lastIndexOf('http', mail.text!.indexOf(path))))![0]
}

/** A person as an administrator makes one: a role with exactly these permissions, a user, an invitation by mail, a first password. */
export async function addPerson(waybill: Waybill, { permissions = [] as string[], isAdmin = false, language = 'en', isTwoFactorRequired = false } = {}): Promise<Person> {
  count += 1
  const done = async (method: string, path: string, body?: object, headers?: Record<string, string>): Promise<any> => {
    const { status, body: answer } = await waybill.api(method, path, body, headers)
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  const email = `person${count}@waybill.example`
  const role = await done('POST', 'user-roles', { title: `Role ${count}`, permissions, isTwoFactorRequired })
  const user = await done('POST', 'users', { fullName: `Person ${count}`, email, roleId: role.id, defaultLanguage: language, position: { title: 'Clerk', isAdmin } })
  await done('POST', `users/${user.id as number}/invite`, undefined, { 'if-match': `"${user.version as number}"` })
  const token = (await linkIn(waybill, email, '/auth/recovery-password/')).split('/').at(-1)!
  await done('POST', `profile/reset_password?token=${encodeURIComponent(token)}`, { password: PASSWORD, confirmPassword: PASSWORD })
  return { id: user.id as number, email, password: PASSWORD, roleId: role.id as number }
}

/** What the browser keeps for a person who is signed in; for journeys that are not about signing in. */
export async function tokensOf({ api }: Waybill, { email, password }: Pick<Person, 'email' | 'password'>): Promise<{ token: string; refreshToken: string; expiresIn: number }> {
  const { status, body } = await api('POST', 'token', { email, password })
  if (status !== 200) throw new Error(`signing in as ${email}: ${JSON.stringify(body)}`)
  return body
}
