import type { AnsweredErrorCode } from '../../errors.ts'

/** What the server alone finds wrong with a field, in German. */
export const de = {
  read_only: 'Dieses Feld kann nicht geändert werden',
  not_a_number: 'Das ist keine Zahl',
  own_address: 'Die eigene Adresse wird im Profil geändert, mit dem Passwort',
  password_known: 'Dieses Passwort steht auf Listen, die Fremde zuerst durchprobieren. Bitte wählen Sie ein anderes',
  password_personal:
    'Dieses Passwort besteht aus Ihrem Namen, Ihrer Adresse oder Ihrer Firma. Bitte wählen Sie ein anderes',
  address_of_more_rights:
    'Diese Person hat Rechte, die Ihnen fehlen: Nur wer sie ebenfalls hat, kann die Adresse ändern',
  customer_vat_number_taken: 'Diese USt-IdNr. wird von einem anderen Kunden verwendet',
  carrier_vat_number_taken: 'Diese USt-IdNr. wird von einem anderen Frachtführer verwendet',
  cursor_mismatch: 'Diese Position gehört zu einer anderen Liste',
  not_a_customer_of_order: 'Dieser Kunde gehört nicht zum Auftrag',
  location_in_two_routes: 'Ein Halt kann nur zu einer Route gehören',
  carrier_or_own_fleet: 'Wählen Sie einen Frachtführer oder eigenen Fuhrpark, nicht beides',
  administrators_only: 'Das dürfen nur Administratoren',
  deactivation_too_early:
    'Ein Auftrag kann nur deaktiviert werden, solange er neu ist oder nachdem er abgeschlossen oder storniert wurde',
  order_inactive: 'Der Auftrag ist inaktiv: bitte zuerst aktivieren',
  not_invoiceable: 'Der Auftrag hat noch keinen Preis oder keinen Rechnungskunden',
  order_canceled: 'Die Fracht eines stornierten Auftrags kann nicht berechnet werden',
  billed_by_sources: 'Dieser Auftrag wurde aus anderen zusammengeführt; bitte berechnen Sie diese',
  different_billing_customers: 'Alle Aufträge einer Rechnung brauchen denselben Rechnungskunden',
  different_companies: 'Alle Aufträge einer Rechnung müssen zur selben eigenen Firma gehören',
  exceeds_original: 'Damit würden die Korrekturen mehr zurücknehmen, als berechnet wurde',
  not_of_invoice: 'Dieser Auftrag steht nicht auf der Rechnung',
  not_of_carrier: 'Mit dieser Route war dieser Frachtführer nicht beauftragt',
  extra_decided: 'Zum Ändern dieser Zusatzleistung erst die Entscheidung zurücknehmen',
  extra_of_canceled: 'Für einen stornierten Auftrag sind nur noch Stornogebühren möglich',
  extra_not_approved: 'Berechnet werden nur freigegebene Zusatzleistungen dieses Auftrags, die der Kunde zahlt',
  order_merged: 'Dieser Auftrag wurde mit anderen zusammengeführt und kann nicht geändert werden',
  unmerge_not_result: 'Dieser Auftrag enthält keine zusammengeführten Aufträge',
  merge_undone: 'Die Zusammenführung wurde aufgehoben; dieser Auftrag bleibt storniert',
  unreadable_table:
    'Diese Datei konnte nicht als Tabelle gelesen werden; bitte speichern Sie sie erneut als CSV oder XLSX',
  no_rows: 'Die Datei braucht eine Zeile mit Spaltentiteln und darunter mindestens eine Zeile',
  too_many_rows: 'Höchstens {max} Zeilen können auf einmal importiert werden',
  before_last_step: 'Das liegt vor dem vorherigen Schritt',
  table_too_heavy:
    'Diese Datei ist zu groß für eine Tabelle (höchstens 5 MB); bitte nur die benötigten Zeilen speichern',
  ambiguous_number:
    'Diese Zahl lässt sich auf zwei Weisen lesen, wie 24 und 24 000; bitte mit einer Nachkommastelle: 24,0',
  ambiguous_reference: 'Mehrere Datensätze heißen so; bitte verwenden Sie eine Nummer, die nur einer hat',
  differs_from_first_row: 'Dies weicht von der ersten Zeile desselben Auftrags ab',
  twice_in_file: 'Dieser Wert steht zweimal in der Datei',
  invalid_leitweg_id: 'Die Prüfziffern stimmen nicht: eine Stelle der Leitweg-ID ist falsch geschrieben',
  ksef_in_poland: 'Unternehmen in Polen stellen ihre Rechnungen über KSeF aus, und nur sie',
  iban_in_mail:
    'Zur Sicherheit darf eine E-Mail keine vollständige IBAN zeigen: Bitte nennen Sie nur die letzten vier Ziffern',
  entry_changed: 'Dieser Umsatz wurde inzwischen bearbeitet',
  upload_type: 'Bitte senden Sie ein PDF oder ein Bild (JPEG, PNG, WebP, TIFF); eine E-Rechnung als XML',
  picture_heic:
    'HEIC-Bilder sind hier nicht lesbar: bitte JPEG oder PDF (iPhone: Einstellungen, Kamera, Maximale Kompatibilität)',
  picture_unreadable:
    'Dieses Bild ist beschädigt und nicht lesbar: Bitte nehmen Sie es noch einmal auf oder senden Sie ein PDF',
  picture_too_large: 'Dieses Bild hat mehr als 100 Megapixel: Bitte senden Sie es kleiner oder als PDF',
  pdf_locked: 'Dieses PDF ist mit einem Kennwort geschützt: Bitte senden Sie es ohne',
  pdf_runs_scripts:
    'Dieses PDF enthält Programme oder startet andere: Bitte drucken Sie es in ein neues PDF und senden Sie dieses',
  pdf_unreadable:
    'Dieses PDF ist beschädigt und nicht prüfbar: Bitte drucken Sie es in ein neues PDF und senden Sie dieses',
  difference_reason_missing: 'Der Betrag weicht vom vereinbarten ab: Bitte nennen Sie den Grund',
  changed_since_seen: 'Aufträge oder Preise haben sich geändert, seit sie angesehen wurden',
  in_bookkeeping_batch: 'Wurde an die Buchhaltung übergeben: was gebucht ist, bleibt',
  mail_unreadable: 'Diese Datei ist beschädigt oder keine lesbare Mail',
  mail_too_heavy: 'Diese Mail ist zu lang oder zu tief verschachtelt: Bitte nur den Teil mit dem Auftrag übernehmen',
  mail_empty: 'In dieser Mail steht kein Text',
  mail_in_hand: '{name} bearbeitet diese Mail gerade',
  mail_settled: 'Diese Mail ist bereits erledigt',
  draft_saved: 'Dieser Auftrag der Mail wurde bereits gespeichert',
  mail_filed: 'Die Mail liegt bereits bei diesem Auftrag',
  mail_known: 'Diese Mail ist bereits da',
  order_known: 'Der Kunde hat unter dieser Nummer bereits einen Auftrag erteilt',
  beyond_owner: 'Ein Schlüssel kann nicht mehr Rechte haben als sein Inhaber',
  webhook_address: 'Bitte geben Sie eine Adresse ein, die mit https:// beginnt und keine Zugangsdaten enthält',
  webhook_port: 'Erlaubt sind Port 443 und Ports ab 1024',
  webhook_inside: 'Diese Adresse liegt in einem internen Netz; Webhooks gehen nur an Adressen im Internet',
  transport_canceled: 'Dieser Transport wurde storniert: bitte rufen Sie an, bevor Sie weiterfahren',
  already_told: 'Das wurde für diesen Halt schon gemeldet',
  step_back: 'Hier wurde schon be- oder entladen: ein Schritt zurück geht nicht',
  balance_changed: 'Der Saldo hat sich geändert, seit er angesehen wurde',
  factor_in_use:
    'Mit diesem Faktor sind Aufträge gerechnet, er bleibt, wie er ist: bitte einen mit späterem ersten Tag anlegen',
  factor_too_early: 'Die früheren Jahre sind berichtet: Ein Faktor beginnt frühestens in diesem Jahr',
} as const satisfies Readonly<Record<AnsweredErrorCode, string>>
