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
  paper_missing: {
    status: 409,
    text: {
      en: 'This invoice has its number, but its PDF has not been made yet.',
      de: 'Diese Rechnung hat ihre Nummer, aber ihr PDF ist noch nicht erstellt.',
      pl: 'Ta faktura ma już numer, ale jej PDF nie został jeszcze utworzony.',
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
      en: 'Whoever entered a bank account cannot confirm it: please ask somebody else.',
      de: 'Wer eine Bankverbindung eingegeben hat, kann sie nicht bestätigen: Bitten Sie jemand anderen.',
      pl: 'Rachunku nie może potwierdzić osoba, która go wprowadziła: poproś kogoś innego.',
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

/** Codes of `errors[]` items (api, Errors). `{…}` are filled from the item's params. Messages as spec §5 words them. */
export const FIELD_ERRORS = {
  required: { en: 'The field is required', de: 'Das Feld ist erforderlich', pl: 'Pole jest wymagane' },
  too_long: {
    en: 'The maximum length allowed is {max}',
    de: 'Die maximal zulässige Länge ist {max}',
    pl: 'Maksymalna dozwolona długość to {max}',
  },
  too_short: { en: 'The minimum length is {min}', de: 'Die Mindestlänge ist {min}', pl: 'Minimalna długość to {min}' },
  too_small: {
    en: 'The value must be at least {min}',
    de: 'Der Wert muss mindestens {min} sein',
    pl: 'Wartość musi wynosić co najmniej {min}',
  },
  too_big: {
    en: 'The value must be at most {max}',
    de: 'Der Wert darf höchstens {max} sein',
    pl: 'Wartość może wynosić najwyżej {max}',
  },
  too_many: {
    en: 'At most {max} entries are allowed',
    de: 'Höchstens {max} Einträge sind erlaubt',
    pl: 'Dozwolonych jest najwyżej {max} pozycji',
  },
  too_few: {
    en: 'At least {min} entries are needed',
    de: 'Mindestens {min} Einträge sind nötig',
    pl: 'Potrzeba co najmniej {min} pozycji',
  },
  unknown_field: {
    en: 'This field does not exist here',
    de: 'Dieses Feld gibt es hier nicht',
    pl: 'To pole tutaj nie istnieje',
  },
  read_only: {
    en: 'This field cannot be changed',
    de: 'Dieses Feld kann nicht geändert werden',
    pl: 'Tego pola nie można zmienić',
  },
  invalid_type: {
    en: 'The value has the wrong type',
    de: 'Der Wert hat den falschen Typ',
    pl: 'Wartość ma niewłaściwy typ',
  },
  not_a_number: { en: 'This is not a number', de: 'Das ist keine Zahl', pl: 'To nie jest liczba' },
  invalid_value: {
    en: 'The value is not allowed here',
    de: 'Der Wert ist hier nicht erlaubt',
    pl: 'Ta wartość jest tutaj niedozwolona',
  },
  invalid_text: {
    en: 'The text contains characters that are not allowed',
    de: 'Der Text enthält nicht erlaubte Zeichen',
    pl: 'Tekst zawiera niedozwolone znaki',
  },
  invalid_date: { en: 'This date does not exist', de: 'Dieses Datum gibt es nicht', pl: 'Taka data nie istnieje' },
  invalid_time: { en: 'This time does not exist', de: 'Diese Uhrzeit gibt es nicht', pl: 'Taka godzina nie istnieje' },
  invalid_time_zone: {
    en: 'This time zone does not exist',
    de: 'Diese Zeitzone gibt es nicht',
    pl: 'Taka strefa czasowa nie istnieje',
  },
  invalid_email: {
    en: 'Invalid email format',
    de: 'Ungültiges E-Mail-Format',
    pl: 'Nieprawidłowy format adresu e-mail',
  },
  invalid_phone: {
    en: 'This is not a valid phone number',
    de: 'Das ist keine gültige Telefonnummer',
    pl: 'To nie jest prawidłowy numer telefonu',
  },
  invalid_vat_number: {
    en: 'This VAT number does not fit the country',
    de: 'Diese USt-IdNr. passt nicht zum Land',
    pl: 'Ten numer VAT nie pasuje do kraju',
  },
  invalid_iban: {
    en: 'This is not a valid IBAN',
    de: 'Das ist keine gültige IBAN',
    pl: 'To nie jest prawidłowy numer IBAN',
  },
  invalid_bic: { en: 'This is not a valid BIC', de: 'Das ist kein gültiger BIC', pl: 'To nie jest prawidłowy kod BIC' },
  invalid_number_pattern: {
    en: 'The pattern needs the year, {YYYY} or {YY}, and the counter, {N} or {NNNN}',
    de: 'Das Muster braucht das Jahr, {YYYY} oder {YY}, und den Zähler, {N} oder {NNNN}',
    pl: 'Wzór wymaga roku, {YYYY} lub {YY}, oraz licznika, {N} lub {NNNN}',
  },
  invalid_logo: {
    en: 'Please use a PNG picture of at most {kilobytes} kB and {pixels} pixels a side',
    de: 'Bitte verwenden Sie ein PNG-Bild mit höchstens {kilobytes} kB und {pixels} Pixeln je Seite',
    pl: 'Użyj obrazu PNG o rozmiarze do {kilobytes} kB i do {pixels} pikseli na bok',
  },
  own_address: {
    en: 'One’s own address is changed on the profile, with the password',
    de: 'Die eigene Adresse wird im Profil geändert, mit dem Passwort',
    pl: 'Własny adres zmienia się w profilu, podając hasło',
  },
  address_of_more_rights: {
    en: 'This person holds rights that you lack: only somebody who holds them too can change the address',
    de: 'Diese Person hat Rechte, die Ihnen fehlen: Nur wer sie ebenfalls hat, kann die Adresse ändern',
    pl: 'Ta osoba ma uprawnienia, których Ty nie masz: adres może zmienić tylko ktoś, kto też je posiada',
  },
  unknown_reference: {
    en: 'This record does not exist',
    de: 'Diesen Datensatz gibt es nicht',
    pl: 'Taki rekord nie istnieje',
  },
  duplicate_key: {
    en: 'This key is used twice',
    de: 'Dieser Schlüssel wird doppelt verwendet',
    pl: 'Ten klucz został użyty dwa razy',
  },
  taken: {
    en: 'This value is already in use',
    de: 'Dieser Wert wird bereits verwendet',
    pl: 'Ta wartość jest już używana',
  },
  number_taken: { en: 'Number has to be unique', de: 'Die Nummer muss eindeutig sein', pl: 'Numer musi być unikalny' },
  customer_vat_number_taken: {
    en: 'This VAT is used by another customer',
    de: 'Diese USt-IdNr. wird von einem anderen Kunden verwendet',
    pl: 'Ten numer VAT jest używany przez innego klienta',
  },
  carrier_vat_number_taken: {
    en: 'This VAT is used by another carrier',
    de: 'Diese USt-IdNr. wird von einem anderen Frachtführer verwendet',
    pl: 'Ten numer VAT jest używany przez innego przewoźnika',
  },
  password_rule: {
    en: 'At least 8 characters with an uppercase letter, a lowercase letter and a digit',
    de: 'Mindestens 8 Zeichen mit Großbuchstabe, Kleinbuchstabe und Ziffer',
    pl: 'Co najmniej 8 znaków, w tym wielka litera, mała litera i cyfra',
  },
  passwords_differ: {
    en: 'Passwords do not match',
    de: 'Die Passwörter stimmen nicht überein',
    pl: 'Hasła nie są zgodne',
  },
  wrong_password: {
    en: 'The current password is wrong',
    de: 'Das aktuelle Passwort ist falsch',
    pl: 'Obecne hasło jest nieprawidłowe',
  },
  cursor_mismatch: {
    en: 'This position belongs to another list',
    de: 'Diese Position gehört zu einer anderen Liste',
    pl: 'Ta pozycja należy do innej listy',
  },
  ends_before_start: {
    en: 'The end lies before the start',
    de: 'Das Ende liegt vor dem Beginn',
    pl: 'Koniec jest przed początkiem',
  },
  drop_off_before_pick_up: {
    en: 'The cargo is dropped off before it is picked up',
    de: 'Die Fracht wird entladen, bevor sie geladen wird',
    pl: 'Ładunek jest rozładowywany przed załadunkiem',
  },
  action_twice: {
    en: 'The cargo has this action at another stop already',
    de: 'Die Fracht hat diese Aktion bereits an einem anderen Halt',
    pl: 'Ładunek ma już tę czynność na innym przystanku',
  },
  customer_missing: {
    en: 'An order needs at least one customer before cargo is added',
    de: 'Ein Auftrag braucht mindestens einen Kunden, bevor Fracht hinzugefügt wird',
    pl: 'Zlecenie wymaga co najmniej jednego klienta przed dodaniem ładunku',
  },
  not_a_customer_of_order: {
    en: 'This customer is not on the order',
    de: 'Dieser Kunde gehört nicht zum Auftrag',
    pl: 'Ten klient nie należy do zlecenia',
  },
  location_in_two_routes: {
    en: 'A stop can belong to one route only',
    de: 'Ein Halt kann nur zu einer Route gehören',
    pl: 'Przystanek może należeć tylko do jednej trasy',
  },
  carrier_or_own_fleet: {
    en: 'Choose a carrier or own fleet, not both',
    de: 'Wählen Sie einen Frachtführer oder eigenen Fuhrpark, nicht beides',
    pl: 'Wybierz przewoźnika albo własną flotę, nie oba',
  },
  pick_up_and_drop_off_missing: {
    en: 'At least one pick-up and one drop-off with dates are needed',
    de: 'Mindestens eine Beladung und eine Entladung mit Datum werden benötigt',
    pl: 'Potrzebny jest co najmniej jeden załadunek i jeden rozładunek z datami',
  },
  assignment_missing: {
    en: 'A carrier or own fleet must be assigned',
    de: 'Ein Frachtführer oder eigener Fuhrpark muss zugewiesen sein',
    pl: 'Należy przypisać przewoźnika lub własną flotę',
  },
  carrier_missing: {
    en: 'The route needs a carrier',
    de: 'Die Route braucht einen Frachtführer',
    pl: 'Trasa wymaga przewoźnika',
  },
  consignment_missing: {
    en: 'No cargo goes from a pick-up to a drop-off of this route',
    de: 'Auf dieser Route geht keine Fracht von einer Beladestelle zu einer Entladestelle',
    pl: 'Na tej trasie żaden ładunek nie jedzie z załadunku na rozładunek',
  },
  route_missing: { en: 'A route is needed', de: 'Eine Route wird benötigt', pl: 'Potrzebna jest trasa' },
  loading_times_missing: { en: 'The loading time is missing', de: 'Die Ladezeit fehlt', pl: 'Brakuje czasu załadunku' },
  arrival_time_missing: {
    en: 'The arrival time at the last drop-off is missing',
    de: 'Die Ankunftszeit an der letzten Entladestelle fehlt',
    pl: 'Brakuje czasu przyjazdu na ostatnie miejsce rozładunku',
  },
  unloading_times_missing: {
    en: 'The unloading time is missing',
    de: 'Die Entladezeit fehlt',
    pl: 'Brakuje czasu rozładunku',
  },
  pod_missing: {
    en: 'The proof of delivery or a waiver with a reason is missing',
    de: 'Der Ablieferbeleg (POD) oder ein Verzicht mit Begründung fehlt',
    pl: 'Brakuje potwierdzenia dostawy (POD) lub rezygnacji z uzasadnieniem',
  },
  reason_missing: { en: 'A reason is needed', de: 'Eine Begründung wird benötigt', pl: 'Potrzebne jest uzasadnienie' },
  administrators_only: {
    en: 'Only administrators may do this',
    de: 'Das dürfen nur Administratoren',
    pl: 'Mogą to zrobić tylko administratorzy',
  },
  deactivation_too_early: {
    en: 'An order can be deactivated only while it is new, or once it is completed or canceled',
    de:
      'Ein Auftrag kann nur deaktiviert werden, solange er neu ist oder nachdem er abgeschlossen oder storniert ' +
      'wurde',
    pl: 'Zlecenie można dezaktywować tylko, dopóki jest nowe albo gdy jest zakończone lub anulowane',
  },
  order_inactive: {
    en: 'The order is inactive: please activate it first',
    de: 'Der Auftrag ist inaktiv: bitte zuerst aktivieren',
    pl: 'Zlecenie jest nieaktywne: najpierw je aktywuj',
  },
  not_invoiceable: {
    en: 'The order has no price or no billing customer yet',
    de: 'Der Auftrag hat noch keinen Preis oder keinen Rechnungskunden',
    pl: 'Zlecenie nie ma jeszcze ceny lub płatnika',
  },
  order_canceled: {
    en: 'The freight of a canceled order cannot be invoiced',
    de: 'Die Fracht eines stornierten Auftrags kann nicht berechnet werden',
    pl: 'Nie można zafakturować frachtu anulowanego zlecenia',
  },
  billed_by_sources: {
    en: 'This order was merged from others; please invoice those',
    de: 'Dieser Auftrag wurde aus anderen zusammengeführt; bitte berechnen Sie diese',
    pl: 'To zlecenie powstało z połączenia innych; zafakturuj tamte zlecenia',
  },
  different_billing_customers: {
    en: 'All orders of an invoice need the same billing customer',
    de: 'Alle Aufträge einer Rechnung brauchen denselben Rechnungskunden',
    pl: 'Wszystkie zlecenia na fakturze muszą mieć tego samego płatnika',
  },
  different_companies: {
    en: 'All orders of an invoice must belong to the same company of ours',
    de: 'Alle Aufträge einer Rechnung müssen zur selben eigenen Firma gehören',
    pl: 'Wszystkie zlecenia na fakturze muszą należeć do tej samej naszej firmy',
  },
  vat_number_missing: {
    en: 'Reverse charge needs the VAT number of the billing customer',
    de: 'Reverse Charge braucht die USt-IdNr. des Rechnungskunden',
    pl: 'Odwrotne obciążenie wymaga numeru VAT płatnika',
  },
  exceeds_original: {
    en: 'With this, the corrections would take back more than was invoiced',
    de: 'Damit würden die Korrekturen mehr zurücknehmen, als berechnet wurde',
    pl: 'Korekty wycofałyby w ten sposób więcej, niż zafakturowano',
  },
  not_of_invoice: {
    en: 'This order is not on the invoice',
    de: 'Dieser Auftrag steht nicht auf der Rechnung',
    pl: 'Tego zlecenia nie ma na fakturze',
  },
  order_merged: {
    en: 'This order was merged into another one and cannot be changed',
    de: 'Dieser Auftrag wurde mit anderen zusammengeführt und kann nicht geändert werden',
    pl: 'To zlecenie zostało połączone z innymi i nie można go zmieniać',
  },
  merge_not_new: {
    en: 'Order {number} is not new any more',
    de: 'Auftrag {number} ist nicht mehr neu',
    pl: 'Zlecenie {number} nie jest już nowe',
  },
  merge_inactive: {
    en: 'Order {number} is inactive',
    de: 'Auftrag {number} ist inaktiv',
    pl: 'Zlecenie {number} jest nieaktywne',
  },
  merge_has_route: {
    en: 'Order {number} has a route already',
    de: 'Auftrag {number} hat bereits eine Route',
    pl: 'Zlecenie {number} ma już trasę',
  },
  merge_other_department: {
    en: 'Order {number} belongs to another department',
    de: 'Auftrag {number} gehört zu einer anderen Abteilung',
    pl: 'Zlecenie {number} należy do innego działu',
  },
  merge_of_merged: {
    en: 'Order {number} was itself merged from others',
    de: 'Auftrag {number} ist selbst aus anderen zusammengeführt',
    pl: 'Zlecenie {number} samo powstało z połączenia innych',
  },
  unmerge_not_result: {
    en: 'This order does not carry merged orders',
    de: 'Dieser Auftrag enthält keine zusammengeführten Aufträge',
    pl: 'To zlecenie nie zawiera połączonych zleceń',
  },
  unmerge_left_new: {
    en: 'The order is not new any more, or was planned before',
    de: 'Der Auftrag ist nicht mehr neu oder war schon eingeplant',
    pl: 'Zlecenie nie jest już nowe lub było już zaplanowane',
  },
  unmerge_edited: {
    en: 'The order was changed after merging',
    de: 'Der Auftrag wurde nach dem Zusammenführen geändert',
    pl: 'Zlecenie zostało zmienione po połączeniu',
  },
  unmerge_has_documents: {
    en: 'The order has documents',
    de: 'Zum Auftrag gibt es Dokumente',
    pl: 'Do zlecenia są dokumenty',
  },
  unmerge_has_mails: {
    en: 'Emails about the order have been sent',
    de: 'Zum Auftrag wurden E-Mails versendet',
    pl: 'W sprawie zlecenia wysłano wiadomości e-mail',
  },
  unmerge_foreign: {
    en: 'Not all of the merged orders are yours',
    de: 'Nicht alle zusammengeführten Aufträge gehören zu Ihnen',
    pl: 'Nie wszystkie połączone zlecenia są Twoje',
  },
  merge_undone: {
    en: 'The merge was undone; this order stays canceled',
    de: 'Die Zusammenführung wurde aufgehoben; dieser Auftrag bleibt storniert',
    pl: 'Połączenie zostało cofnięte; to zlecenie pozostaje anulowane',
  },
  unreadable_table: {
    en: 'This file could not be read as a table; please save it again as CSV or XLSX',
    de: 'Diese Datei konnte nicht als Tabelle gelesen werden; bitte speichern Sie sie erneut als CSV oder XLSX',
    pl: 'Nie udało się odczytać tego pliku jako tabeli; zapisz go ponownie jako CSV lub XLSX',
  },
  no_rows: {
    en: 'The file needs a line of titles and at least one row below it',
    de: 'Die Datei braucht eine Zeile mit Spaltentiteln und darunter mindestens eine Zeile',
    pl: 'Plik musi mieć wiersz z nagłówkami i co najmniej jeden wiersz poniżej',
  },
  too_many_rows: {
    en: 'At most {max} rows can be imported at once',
    de: 'Höchstens {max} Zeilen können auf einmal importiert werden',
    pl: 'Jednorazowo można zaimportować najwyżej {max} wierszy',
  },
  in_the_future: {
    en: 'This time has not come yet',
    de: 'Diese Zeit liegt in der Zukunft',
    pl: 'Ten czas jeszcze nie nadszedł',
  },
  long_before_order: {
    en: 'This lies more than two months before the order was written',
    de: 'Das liegt mehr als zwei Monate vor der Erfassung des Auftrags',
    pl: 'To ponad dwa miesiące przed wprowadzeniem zlecenia',
  },
  before_arrival: {
    en: 'This lies before the arrival at this stop',
    de: 'Das liegt vor der Ankunft an diesem Stopp',
    pl: 'To przed przyjazdem na to miejsce',
  },
  before_loading: {
    en: 'This lies before the goods were loaded',
    de: 'Das liegt vor der Beladung der Ware',
    pl: 'To przed załadunkiem towaru',
  },
  before_last_step: {
    en: 'This lies before the step that came before it',
    de: 'Das liegt vor dem vorherigen Schritt',
    pl: 'To przed poprzednim krokiem',
  },
  table_too_heavy: {
    en: 'This file is too large to be read as a table (at most 5 MB); please save only the rows that are needed',
    de: 'Diese Datei ist zu groß für eine Tabelle (höchstens 5 MB); bitte nur die benötigten Zeilen speichern',
    pl: 'Ten plik jest zbyt duży na tabelę (najwyżej 5 MB); zapisz tylko potrzebne wiersze',
  },
  ambiguous_number: {
    en: 'This figure can be read in two ways, as in 24 and 24,000; please write it with a decimal, as in 24.0',
    de: 'Diese Zahl lässt sich auf zwei Weisen lesen, wie 24 und 24 000; bitte mit einer Nachkommastelle: 24,0',
    pl: 'Tę liczbę można odczytać na dwa sposoby, jak 24 i 24 000; zapisz ją z miejscem po przecinku: 24,0',
  },
  ambiguous_reference: {
    en: 'Several records are called this; please use a number that only one has',
    de: 'Mehrere Datensätze heißen so; bitte verwenden Sie eine Nummer, die nur einer hat',
    pl: 'Tak nazywa się kilka rekordów; użyj numeru, który ma tylko jeden',
  },
  differs_from_first_row: {
    en: 'This differs from the first row of the same order',
    de: 'Dies weicht von der ersten Zeile desselben Auftrags ab',
    pl: 'Ta wartość różni się od pierwszego wiersza tego zlecenia',
  },
  twice_in_file: {
    en: 'This value stands in the file twice',
    de: 'Dieser Wert steht zweimal in der Datei',
    pl: 'Ta wartość występuje w pliku dwa razy',
  },
  recipient_missing: {
    en: 'Please enter a recipient address',
    de: 'Bitte geben Sie eine Empfängeradresse ein',
    pl: 'Podaj adres odbiorcy',
  },
} as const satisfies Record<string, Texts>

export type FieldErrorCode = keyof typeof FIELD_ERRORS

/** Fills `{name}` holes; a hole without a value stays visible, so that a test can find it. */
export function fill(text: string, params: Readonly<Record<string, unknown>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => (name in params ? String(params[name]) : hole))
}

/** One wrong field: `path` is dotted (`cargo.0.weightKg`), `code` one of FIELD_ERRORS. */
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
