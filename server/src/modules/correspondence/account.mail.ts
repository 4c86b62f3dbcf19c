import type { AccountEmailType } from '@waybill/contract/email'
import type { Language } from '@waybill/contract/errors'
import { mailBody } from '../../kit/mail/mail-html.ts'

interface Words {
  subject: (sender: string) => string
  greeting: (name: string) => string
  intro: (sender: string, address: string) => string
  button: string
  life: string
  notYou: string
}

// The person's own language. One thing to do, what it is for, how long it works, and what to do if it was not asked for.
const WORDS: Readonly<Record<AccountEmailType, Readonly<Record<Language, Words>>>> = {
  password_recovery: {
    en: {
      subject: () => 'Choose a new password',
      greeting: (name) => `Hello ${name},`,
      intro: (_sender, address) =>
        `Somebody asked for a new password for ${address}. With the link below you can choose one.`,
      button: 'Choose a new password',
      life: 'The link works once, for 60 minutes. All your open sessions end when the new password is set.',
      notYou: 'If it was not you, you can ignore this mail: your password stays as it is.',
    },
    de: {
      subject: () => 'Neues Passwort festlegen',
      greeting: (name) => `Guten Tag ${name},`,
      intro: (_sender, address) =>
        `für ${address} wurde ein neues Passwort angefordert. Über den Link unten können Sie es festlegen.`,
      button: 'Neues Passwort festlegen',
      life: 'Der Link funktioniert einmal und ist 60 Minuten gültig. Mit dem neuen Passwort enden alle Ihre offenen Sitzungen.',
      notYou: 'Falls Sie das nicht waren, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt unverändert.',
    },
    pl: {
      subject: () => 'Ustaw nowe hasło',
      greeting: (name) => `Dzień dobry, ${name},`,
      intro: (_sender, address) =>
        `otrzymaliśmy prośbę o nowe hasło dla adresu ${address}. Możesz je ustawić, korzystając z poniższego linku.`,
      button: 'Ustaw nowe hasło',
      life: 'Link działa jeden raz i jest ważny przez 60 minut. Po ustawieniu nowego hasła wszystkie otwarte sesje zostaną zakończone.',
      notYou: 'Jeśli to nie Ty, zignoruj tę wiadomość: hasło pozostanie bez zmian.',
    },
  },
  invitation: {
    en: {
      subject: (sender) => `Your access to Waybill at ${sender}`,
      greeting: (name) => `Hello ${name},`,
      intro: (sender, address) =>
        `${sender} has set up access to Waybill for you. Your user name is ${address}. Please choose a password to begin.`,
      button: 'Choose a password',
      life: 'The link works once, for 7 days. After that please ask for a new invitation.',
      notYou: 'If you did not expect this mail, you can ignore it.',
    },
    de: {
      subject: (sender) => `Ihr Zugang zu Waybill bei ${sender}`,
      greeting: (name) => `Guten Tag ${name},`,
      intro: (sender, address) =>
        `${sender} hat für Sie einen Zugang zu Waybill eingerichtet. Ihr Benutzername ist ${address}. Bitte legen Sie zum Start ein Passwort fest.`,
      button: 'Passwort festlegen',
      life: 'Der Link funktioniert einmal und ist 7 Tage gültig. Danach bitten Sie um eine neue Einladung.',
      notYou: 'Falls Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren.',
    },
    pl: {
      subject: (sender) => `Twój dostęp do Waybill w ${sender}`,
      greeting: (name) => `Dzień dobry, ${name},`,
      intro: (sender, address) =>
        `firma ${sender} przygotowała dla Ciebie dostęp do systemu Waybill. Twoja nazwa użytkownika to ${address}. Aby zacząć, ustaw hasło.`,
      button: 'Ustaw hasło',
      life: 'Link działa jeden raz i jest ważny przez 7 dni. Potem poproś o nowe zaproszenie.',
      notYou: 'Jeśli nie spodziewasz się tej wiadomości, możesz ją zignorować.',
    },
  },
}

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

/** Subject, body and the one link of a mail about a person's own access. The body does not hold the link: it may be read by others. */
export function accountMail(
  purpose: AccountEmailType,
  { fullName, email, language }: Reader,
  sender: string,
  { publicUrl, token, expiresAt }: { publicUrl: string; token: string; expiresAt: string },
) {
  const words = WORDS[purpose][language]
  const paragraphs = [words.greeting(fullName), words.intro(sender, email), words.life, words.notYou]
  return {
    // A name is typed by people: in a subject it stays one line.
    subject: words.subject(sender).replace(/\s+/g, ' ').slice(0, 250).toWellFormed(),
    html: mailBody(paragraphs.map((text) => ({ kind: 'paragraph', text }))),
    secretButton: { label: words.button, url: `${publicUrl}/${PAGES[purpose]}/${token}`, expiresAt },
  }
}
