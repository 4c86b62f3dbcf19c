import type { en as answered } from './errors/answered/en.ts'
import type { en } from './errors/en.ts'

/** The languages of the product (spec §9); `en` is the fallback. */
export const LANGUAGES = ['en', 'de', 'pl'] as const
export type Language = (typeof LANGUAGES)[number]
export type Texts = Readonly<Record<Language, string>>

interface ErrorDefinition {
  readonly status: number
  readonly text: Texts
}

/**
 * Every error that an answer can carry (api, Errors): its status and its words. A code without its three texts does
 * not compile.
 */
export const ERRORS = {
  malformed: {
    status: 400,
    text: {
      en: 'The request could not be read.',
      de: 'Die Anfrage konnte nicht gelesen werden.',
      pl: 'Nie udało się odczytać żądania.',
    },
  },
  unauthenticated: {
    status: 401,
    text: { en: 'Please sign in.', de: 'Bitte melden Sie sich an.', pl: 'Zaloguj się.' },
  },
  bad_credentials: {
    status: 401,
    text: {
      en: 'The email address or the password is wrong.',
      de: 'E-Mail-Adresse oder Passwort ist falsch.',
      pl: 'Adres e-mail lub hasło jest nieprawidłowe.',
    },
  },
  token_spent: {
    status: 401,
    text: {
      en: 'This session was just renewed elsewhere.',
      de: 'Diese Sitzung wurde soeben an anderer Stelle erneuert.',
      pl: 'Ta sesja została właśnie odnowiona w innym miejscu.',
    },
  },
  token_reused: {
    status: 401,
    text: {
      en: 'This session has ended. Please sign in again.',
      de: 'Diese Sitzung ist beendet. Bitte melden Sie sich erneut an.',
      pl: 'Ta sesja została zakończona. Zaloguj się ponownie.',
    },
  },
  challenge_expired: {
    status: 401,
    text: {
      en: 'The sign-in has taken too long. Please enter your password again.',
      de: 'Die Anmeldung hat zu lange gedauert. Bitte geben Sie Ihr Passwort erneut ein.',
      pl: 'Logowanie trwało zbyt długo. Wprowadź hasło ponownie.',
    },
  },
  provider_sign_in_failed: {
    status: 401,
    text: {
      en: 'The sign-in was canceled, or took too long. Please begin again.',
      de: 'Die Anmeldung wurde abgebrochen oder hat zu lange gedauert. Bitte beginnen Sie neu.',
      pl: 'Logowanie zostało przerwane lub trwało zbyt długo. Rozpocznij ponownie.',
    },
  },
  provider_unverified: {
    status: 403,
    text: {
      en: 'Your company’s sign-in service does not confirm your email address. Please ask your administrator.',
      de: 'Der Anmeldedienst Ihrer Firma bestätigt Ihre E-Mail-Adresse nicht. Bitte fragen Sie Ihren Administrator.',
      pl: 'Usługa logowania Twojej firmy nie potwierdza Twojego adresu e-mail. Zwróć się do administratora.',
    },
  },
  provider_no_account: {
    status: 403,
    text: {
      en: 'There is no account in Waybill for you, or it is not active. Please ask your administrator.',
      de: 'Für Sie gibt es kein aktives Konto in Waybill. Bitte fragen Sie Ihren Administrator.',
      pl: 'Nie masz aktywnego konta w Waybill. Zwróć się do administratora.',
    },
  },
  forbidden: {
    status: 403,
    text: {
      en: 'The page does not exist or you do not have access.',
      de: 'Die Seite existiert nicht oder Sie haben keinen Zugriff.',
      pl: 'Strona nie istnieje lub nie masz do niej dostępu.',
    },
  },
  person_of_more_rights: {
    status: 403,
    text: {
      en: 'This person holds, or held until lately, rights that you lack: please ask an administrator.',
      de: 'Diese Person hat oder hatte bis vor Kurzem Rechte, die Ihnen fehlen: Bitte fragen Sie einen Administrator.',
      pl: 'Ta osoba ma lub do niedawna miała uprawnienia, których Ty nie masz: zwróć się do administratora.',
    },
  },
  not_found: {
    status: 404,
    text: {
      en: 'The page you requested does not exist. It might be outdated or deleted.',
      de: 'Die angeforderte Seite existiert nicht. Sie ist möglicherweise veraltet oder gelöscht.',
      pl: 'Żądana strona nie istnieje. Mogła zostać usunięta lub jest nieaktualna.',
    },
  },
  file_missing: {
    status: 404,
    text: {
      en: 'This file is no longer in the file storage. Please upload it again.',
      de: 'Diese Datei liegt nicht mehr im Dateispeicher. Bitte laden Sie sie erneut hoch.',
      pl: 'Tego pliku nie ma już w magazynie plików. Prześlij go ponownie.',
    },
  },
  file_deleted: {
    status: 410,
    text: {
      en: 'This file was deleted at the end of its period.',
      de: 'Diese Datei wurde am Ende ihrer Aufbewahrungsfrist gelöscht.',
      pl: 'Ten plik usunięto po upływie okresu przechowywania.',
    },
  },
  paper_missing: {
    status: 409,
    text: {
      en: 'This invoice has its number, but its PDF has not been made yet.',
      de: 'Diese Rechnung hat ihre Nummer, aber ihr PDF ist noch nicht erstellt.',
      pl: 'Ta faktura ma już numer, ale jej PDF nie został jeszcze utworzony.',
    },
  },
  ksef_number_awaited: {
    status: 409,
    text: {
      en: 'A correction names the KSeF number of its original, which is not there yet.',
      de: 'Eine Korrektur nennt die KSeF-Nummer der ursprünglichen Rechnung; diese liegt noch nicht vor.',
      pl: 'Faktura korygująca podaje numer KSeF faktury pierwotnej, a tego jeszcze nie ma.',
    },
  },
  ksef_correction_undecided: {
    status: 409,
    text: {
      en: 'Another correction of this invoice is on its way to KSeF; this one can follow once that is decided.',
      de: 'Eine andere Korrektur dieser Rechnung ist unterwegs zu KSeF; diese folgt, sobald KSeF entschieden hat.',
      pl: 'Inna korekta tej faktury jest w drodze do KSeF; tę można wysłać, gdy KSeF rozstrzygnie o poprzedniej.',
    },
  },
  ksef_no_offline_certificate: {
    status: 409,
    text: {
      en: 'For the offline mode our company needs a valid KSeF certificate of type 2.',
      de: 'Für den Offline-Modus braucht unser Unternehmen ein gültiges KSeF-Zertifikat vom Typ 2.',
      pl: 'Do trybu offline nasza firma potrzebuje ważnego certyfikatu KSeF typu 2.',
    },
  },
  ksef_undecided: {
    status: 409,
    text: {
      en: 'This invoice is on its way to KSeF and cannot be changed until KSeF has accepted or rejected it.',
      de: 'Diese Rechnung ist unterwegs zu KSeF; bis KSeF sie annimmt oder ablehnt, kann sie nicht geändert werden.',
      pl: 'Ta faktura jest w drodze do KSeF; do czasu jej przyjęcia lub odrzucenia nie można jej zmienić.',
    },
  },
  numbers_held: {
    status: 409,
    text: {
      en: 'The database was restored: an administrator must first say under Operations which invoice number was last.',
      de: 'Nach einer Wiederherstellung gibt erst ein Administrator unter „Betrieb“ die letzte Rechnungsnummer an.',
      pl: 'Bazę odtworzono z kopii: administrator musi najpierw podać w „Eksploatacji” ostatni numer faktury.',
    },
  },
  stale_version: {
    status: 409,
    text: {
      en: 'Someone else has changed this record in the meantime.',
      de: 'Dieser Datensatz wurde inzwischen von jemand anderem geändert.',
      pl: 'Ktoś inny zmienił w międzyczasie ten rekord.',
    },
  },
  in_use: {
    status: 409,
    text: {
      en: 'This is still in use and cannot be deleted.',
      de: 'Dies wird noch verwendet und kann nicht gelöscht werden.',
      pl: 'Ten element jest nadal używany i nie można go usunąć.',
    },
  },
  withdrawal_waits: {
    status: 409,
    text: {
      en: 'The carrier of this route has a transport order: its withdrawal must be sent or canceled first.',
      de: 'Der Frachtführer der Route hat einen Transportauftrag: erst muss das Storno versandt oder abgebrochen sein.',
      pl: 'Przewoźnik tej trasy ma zlecenie transportowe: najpierw wyślij lub anuluj wiadomość o jego wycofaniu.',
    },
  },
  mail_not_wanted: {
    status: 409,
    text: {
      en: 'The order no longer calls for this mail: it stays canceled.',
      de: 'Der Auftrag braucht diese E-Mail nicht mehr: sie bleibt zurückgenommen.',
      pl: 'Zlecenie nie wymaga już tej wiadomości: pozostaje wycofana.',
    },
  },
  illegal_transition: {
    status: 409,
    text: {
      en: 'This step is not possible from the current status.',
      de: 'Dieser Schritt ist im aktuellen Status nicht möglich.',
      pl: 'Ten krok nie jest możliwy w obecnym statusie.',
    },
  },
  conflict: {
    status: 409,
    text: {
      en: 'This cannot be done at the moment.',
      de: 'Das ist im Moment nicht möglich.',
      pl: 'W tej chwili nie można tego zrobić.',
    },
  },
  already_invoiced: {
    status: 409,
    text: {
      en: 'The freight of this order has been invoiced already.',
      de: 'Die Fracht dieses Auftrags wurde bereits berechnet.',
      pl: 'Fracht tego zlecenia został już zafakturowany.',
    },
  },
  frozen: {
    status: 409,
    text: {
      en: 'A sent invoice cannot be changed. Please write a correction.',
      de: 'Eine versendete Rechnung kann nicht geändert werden. Bitte erstellen Sie eine Korrektur.',
      pl: 'Wysłanej faktury nie można zmienić. Wystaw korektę.',
    },
  },
  last_administrator: {
    status: 409,
    text: {
      en: 'This is the last active administrator: make somebody else an administrator first.',
      de: 'Dies ist der letzte aktive Administrator: Ernennen Sie zuerst jemand anderen zum Administrator.',
      pl: 'To ostatni aktywny administrator: najpierw nadaj tę rolę komuś innemu.',
    },
  },
  second_person_needed: {
    status: 409,
    text: {
      en: 'A person who had a hand in a bank account cannot confirm it: please ask somebody else.',
      de: 'Wer an einer Bankverbindung mitgewirkt hat, kann sie nicht bestätigen: Bitten Sie jemand anderen.',
      pl: 'Rachunku nie może potwierdzić osoba, która brała udział w jego wprowadzeniu: poproś kogoś innego.',
    },
  },
  run_second_person_needed: {
    status: 409,
    text: {
      en: 'The person who made a payment run cannot confirm it here: please ask somebody else.',
      de: 'Wer einen Zahlungslauf erstellt hat, kann ihn hier nicht bestätigen: Bitten Sie jemand anderen.',
      pl: 'Paczki przelewów nie może potwierdzić osoba, która ją utworzyła: poproś kogoś innego.',
    },
  },
  passkey_last: {
    status: 409,
    text: {
      en: 'Your role requires a second factor, and this is the only one. Please add another one first.',
      de: 'Ihre Rolle verlangt einen zweiten Faktor; dies ist der einzige. Bitte fügen Sie erst einen weiteren hinzu.',
      pl: 'Twoja rola wymaga drugiego składnika, a ten klucz dostępu jest jedynym. Najpierw dodaj kolejny.',
    },
  },
  passkeys_not_here: {
    status: 409,
    text: {
      en: 'Passkeys need a public address with https and a name. Please ask your administrator.',
      de: 'Passkeys brauchen eine öffentliche Adresse mit https und Namen. Bitte fragen Sie Ihren Administrator.',
      pl: 'Klucze dostępu działają tylko pod adresem publicznym z https i nazwą. Zwróć się do administratora.',
    },
  },
  fresh_sign_in_needed: {
    status: 409,
    text: {
      en: 'This needs a sign-in of the last ten minutes. Please sign out, sign in again and come back here.',
      de: 'Ihre Anmeldung ist älter als zehn Minuten. Bitte melden Sie sich ab, neu an und kommen Sie hierher zurück.',
      pl: 'Od logowania minęło ponad dziesięć minut. Wyloguj się, zaloguj ponownie i wróć tutaj.',
    },
  },
  two_factor_required: {
    status: 409,
    text: {
      en: 'Your role requires a second factor; it cannot be switched off.',
      de: 'Ihre Rolle verlangt einen zweiten Faktor; er kann nicht abgeschaltet werden.',
      pl: 'Twoja rola wymaga drugiego składnika logowania; nie można go wyłączyć.',
    },
  },
  vat_register_silent: {
    status: 409,
    text: {
      en: 'The EU VAT register (VIES) does not answer at the moment. Please try again later.',
      de: 'Das EU-Register der USt-IdNrn. (VIES) antwortet im Moment nicht. Bitte versuchen Sie es später erneut.',
      pl: 'Unijny rejestr numerów VAT (VIES) w tej chwili nie odpowiada. Spróbuj ponownie później.',
    },
  },
  file_too_large: {
    status: 413,
    text: {
      en: 'The file exceeds the maximum allowed size of 25 MB.',
      de: 'Die Datei überschreitet die maximal zulässige Größe von 25 MB.',
      pl: 'Plik przekracza maksymalny dozwolony rozmiar 25 MB.',
    },
  },
  body_too_large: {
    status: 413,
    text: { en: 'The request is too large.', de: 'Die Anfrage ist zu groß.', pl: 'Żądanie jest zbyt duże.' },
  },
  file_type_not_allowed: {
    status: 415,
    text: {
      en: 'This type of file is not allowed. Please use PDF, an image or an office document.',
      de: 'Dieser Dateityp ist nicht erlaubt. Bitte verwenden Sie PDF, ein Bild oder ein Office-Dokument.',
      pl: 'Ten typ pliku jest niedozwolony. Użyj pliku PDF, obrazu lub dokumentu biurowego.',
    },
  },
  file_infected: {
    status: 422,
    text: {
      en: 'A virus was found in this file. It was not stored.',
      de: 'In dieser Datei wurde ein Virus gefunden. Sie wurde nicht gespeichert.',
      pl: 'W tym pliku znaleziono wirusa. Plik nie został zapisany.',
    },
  },
  unsupported_media_type: {
    status: 415,
    text: {
      en: 'This content type is not supported.',
      de: 'Dieser Inhaltstyp wird nicht unterstützt.',
      pl: 'Ten typ zawartości nie jest obsługiwany.',
    },
  },
  validation: {
    status: 422,
    text: {
      en: 'Validation Error on the Server',
      de: 'Validierungsfehler auf dem Server',
      pl: 'Błąd walidacji na serwerze',
    },
  },
  passkey_refused: {
    status: 422,
    text: {
      en: 'The passkey was not accepted, or it took too long. Please try again.',
      de: 'Der Passkey wurde nicht angenommen, oder es hat zu lange gedauert. Bitte versuchen Sie es erneut.',
      pl: 'Klucz dostępu nie został przyjęty lub trwało to zbyt długo. Spróbuj ponownie.',
    },
  },
  provider_away: {
    status: 422,
    text: {
      en: 'Your company’s sign-in service does not answer at the moment. Please try again in a few minutes.',
      de: 'Der Anmeldedienst Ihrer Firma antwortet gerade nicht. Bitte versuchen Sie es in einigen Minuten erneut.',
      pl: 'Usługa logowania Twojej firmy w tej chwili nie odpowiada. Spróbuj ponownie za kilka minut.',
    },
  },
  passwords_off: {
    status: 422,
    text: {
      en: 'Passwords are switched off here: people sign in by the sign-in service of the company.',
      de: 'Passwörter sind hier abgeschaltet: Die Anmeldung erfolgt über den Anmeldedienst der Firma.',
      pl: 'Hasła są tu wyłączone: logowanie odbywa się przez usługę logowania firmy.',
    },
  },
  invalid_code: {
    status: 422,
    text: { en: 'Invalid code entered', de: 'Ungültiger Code eingegeben', pl: 'Wprowadzono nieprawidłowy kod' },
  },
  invalid_link: {
    status: 422,
    text: {
      en: 'This link is no longer valid. Please ask for a new one.',
      de: 'Dieser Link ist nicht mehr gültig. Bitte fordern Sie einen neuen an.',
      pl: 'Ten link nie jest już ważny. Poproś o nowy.',
    },
  },
  idempotency_key_reused: {
    status: 422,
    text: {
      en: 'This idempotency key was used for another request.',
      de: 'Dieser Idempotenzschlüssel wurde bereits für eine andere Anfrage verwendet.',
      pl: 'Ten klucz idempotencji został użyty w innym żądaniu.',
    },
  },
  version_required: {
    status: 428,
    text: {
      en: 'The version that was read is required.',
      de: 'Die gelesene Version muss angegeben werden.',
      pl: 'Wymagana jest odczytana wersja.',
    },
  },
  rate_limited: {
    status: 429,
    text: {
      en: 'Too many attempts. Please wait a moment.',
      de: 'Zu viele Versuche. Bitte warten Sie einen Moment.',
      pl: 'Zbyt wiele prób. Poczekaj chwilę.',
    },
  },
  internal: {
    status: 500,
    text: {
      en: 'Something went wrong on our side. Please try again.',
      de: 'Bei uns ist etwas schiefgelaufen. Bitte versuchen Sie es erneut.',
      pl: 'Coś poszło nie tak po naszej stronie. Spróbuj ponownie.',
    },
  },
  unavailable: {
    status: 503,
    text: {
      en: 'The service is not available at the moment.',
      de: 'Der Dienst ist im Moment nicht verfügbar.',
      pl: 'Usługa jest w tej chwili niedostępna.',
    },
  },
} as const satisfies Record<string, ErrorDefinition>

export type ErrorCode = keyof typeof ERRORS

/** What the browser can find wrong with one field, too; its texts stand in `errors/`, a file for each language. */
export type FormErrorCode = keyof typeof en

/** What the server alone finds; its texts stand in `errors/answered/`, and travel with the answer. */
export type AnsweredErrorCode = keyof typeof answered

/** What can be wrong with one field (api, Errors). */
export type FieldErrorCode = FormErrorCode | AnsweredErrorCode

/** Fills `{name}` holes; a hole without a value stays visible, so that a test can find it. */
export function fill(text: string, params: Readonly<Record<string, unknown>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => (name in params ? String(params[name]) : hole))
}

/** One wrong field: `path` is dotted (`cargo.0.weightKg`), `code` a FieldErrorCode. */
export interface FieldError {
  path: string
  code: FieldErrorCode
  message: string
}

/** The body of every error answer: application/problem+json, RFC 9457 (api, Errors). */
export interface Problem {
  type: 'about:blank'
  title: string
  status: number
  code: ErrorCode
  detail: string
  requestId: string
  errors?: FieldError[]
  /** stale_version: the record as it is now */
  current?: unknown
  /** illegal_transition */
  from?: string
  to?: string
  allowed?: string[]
}
