import type { AccountLinkType } from '@waybill/contract/email'
import type { Language } from '@waybill/contract/errors'
import { mailBody } from '../../kit/mail/mail-html.ts'
import { filled, textsOf } from '../../kit/texts/texts.ts'

// The person's own language. One thing to do, what it is for, how long it works, and what to do if it was not asked
// for.
const TEXTS = textsOf('account-mail')

/** Recovery page = first password after an invitation; reset page = forgotten password (domain, People and rights). */
const PAGES: Readonly<Record<AccountLinkType, string>> = {
  invitation: 'auth/recovery-password',
  password_recovery: 'auth/reset-password',
}

export interface Reader {
  fullName: string
  email: string
  language: Language
}

// A name is typed by people: in a subject it stays one line.
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 250).toWellFormed()

const written = (subject: string, paragraphs: readonly string[]) => ({
  subject: oneLine(subject),
  html: mailBody(paragraphs.map((text) => ({ kind: 'paragraph', text }))),
})

/**
 * Subject, body and the one link of a mail about a person's own access. The body does not hold the link: it may be
 * read by others.
 */
export function accountMail(
  purpose: AccountLinkType,
  { fullName, email, language }: Reader,
  sender: string,
  { publicUrl, token, expiresAt }: { publicUrl: string; token: string; expiresAt: string },
) {
  const words = TEXTS[language][purpose]
  const paragraphs = [
    filled(words.greeting, { name: fullName }),
    filled(words.intro, { sender, address: email }),
    words.life,
    words.notYou,
  ]
  return {
    ...written(filled(words.subject, { sender }), paragraphs),
    secretButton: { label: words.button, url: `${publicUrl}/${PAGES[purpose]}/${token}`, expiresAt },
  }
}

/** Subject and body of the mail that tells the old address of the new one. */
export function addressMail(
  { fullName, language }: Omit<Reader, 'email'>,
  sender: string,
  before: string,
  after: string,
) {
  const words = TEXTS[language].address_changed
  const paragraphs = [
    filled(words.greeting, { name: fullName }),
    filled(words.intro, { sender, before, after }),
    words.meaning,
    words.notYou,
  ]
  return written(filled(words.subject, { sender }), paragraphs)
}

/** Subject and body of the mail that tells an administrator of a paused webhook; `page` is where all of them stand. */
export function webhookMail(
  { fullName, language }: Omit<Reader, 'email'>,
  sender: string,
  { webhook, host, since, page }: { webhook: string; host: string; since: string; page: string },
) {
  const words = TEXTS[language].webhook_paused
  const paragraphs = [
    filled(words.greeting, { name: fullName }),
    filled(words.intro, { sender, webhook, host, since }),
    filled(words.meaning, { page }),
  ]
  return written(filled(words.subject, { webhook }), paragraphs)
}

/** Subject and body of the mail that tells a person what became of a passkey of theirs. */
export function passkeyMail(
  { fullName, language }: Omit<Reader, 'email'>,
  sender: string,
  what: 'added' | 'removed' | 'copied',
  passkey: string,
) {
  const words = TEXTS[language][`passkey_${what}`]
  const paragraphs = [
    filled(words.greeting, { name: fullName }),
    filled(words.intro, { sender, passkey }),
    words.meaning,
    words.notYou,
  ]
  return written(filled(words.subject, { sender }), paragraphs)
}
