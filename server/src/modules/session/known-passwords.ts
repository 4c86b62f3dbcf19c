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

/** A word of a person or firm that is shorter than this stands in many others. */
const LEAST_LETTERS = 4
/** So many letters beside such words make a password that nobody guesses by them. */
const ENOUGH_LETTERS = 4

/** Who chooses a password. */
interface Person {
  fullName: string
  email: string
}

/** What strangers know of a person: the parts of the name, of the address with the firm in it, and this product. */
const wordsOf = ({ fullName, email }: Person): string[] =>
  ['waybill', ...`${fullName} ${email}`.toLowerCase().split(/[^\p{L}]+/u)]
    .filter((word) => word.length >= LEAST_LETTERS)
    .toSorted((one, other) => other.length - one.length)

/** True for a password that is little more than words which strangers know of the person. */
function isPersonal(password: string, person: Person): boolean {
  const plain = password.toLowerCase()
  const rest = wordsOf(person).reduce((left, word) => left.replaceAll(word, ''), plain)
  return rest !== plain && rest.replaceAll(/[^\p{L}]/gu, '').length < ENOUGH_LETTERS
}

/** Refuses a password that is made of the person's name, address or firm. Error at the field: `password_personal`. */
export function assertNotPersonal(field: 'password' | 'newPassword', password: string, person: Person): void {
  if (isPersonal(password, person)) throw fieldError(field, 'password_personal')
}
