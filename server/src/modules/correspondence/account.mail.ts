import type { AccountEmailType } from '@waybill/contract/email'
import type { Language } from '@waybill/contract/errors'
import { mailBody } from '../../kit/mail/mail-html.ts'
import { filled, textsOf } from '../../kit/texts/texts.ts'

// The person's own language. One thing to do, what it is for, how long it works, and what to do if it was not asked
// for.
const TEXTS = textsOf('account-mail')

/** Recovery page = first password after an invitation; reset page = forgotten password (domain, People and rights). */
const PAGES: Readonly<Record<AccountEmailType, string>> = {
  invitation: 'auth/recovery-password',
  password_recovery: 'auth/reset-password',
}

interface Reader {
  fullName: string
  email: string
  language: Language
}

/**
 * Subject, body and the one link of a mail about a person's own access. The body does not hold the link: it may be
 * read by others.
 */
export function accountMail(
  purpose: AccountEmailType,
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
    // A name is typed by people: in a subject it stays one line.
    subject: filled(words.subject, { sender }).replace(/\s+/g, ' ').slice(0, 250).toWellFormed(),
    html: mailBody(paragraphs.map((text) => ({ kind: 'paragraph', text }))),
    secretButton: { label: words.button, url: `${publicUrl}/${PAGES[purpose]}/${token}`, expiresAt },
  }
}
