import { fieldError } from '../../kit/context/errors.ts'

let known: Promise<ReadonlySet<string>> | undefined

// Some 3 MB that most servers never need: loaded when first somebody chooses a password.
const knownPasswords = (): Promise<ReadonlySet<string>> =>
  (known ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((password) => password.toLowerCase())),
  ))

/**
 * True for a password that strangers try first: one of the tens of thousands that were found most often in stolen
 * lists, in whatever case, also with marks behind it.
 */
export async function isKnownPassword(password: string): Promise<boolean> {
  const plain = password.toLowerCase()
  const passwords = await knownPasswords()
  return [plain, plain.replace(/[^\p{L}\d]+$/u, '')].some((one) => passwords.has(one))
}

/**
 * Refuses a password that strangers try first. Error at the field: `password_known`.
 */
export async function assertUnknownPassword(field: 'password' | 'newPassword', password: string): Promise<void> {
  if (await isKnownPassword(password)) throw fieldError(field, 'password_known')
}
