import type { Texts } from '../../errors.ts'

/** What a rule finds, in the words of who mends it. */
export const FINDING_TEXTS = {
  number: {
    en: 'The invoice has no number',
    de: 'Die Rechnung hat keine Nummer',
    pl: 'Faktura nie ma numeru',
  },
  date: { en: 'The invoice has no date', de: 'Die Rechnung hat kein Datum', pl: 'Faktura nie ma daty' },
  sellerName: {
    en: 'Our company has no name',
    de: 'Unser Unternehmen hat keinen Namen',
    pl: 'Nasza firma nie ma nazwy',
  },
  sellerCountry: {
    en: 'Our company has no country',
    de: 'Bei unserem Unternehmen fehlt das Land',
    pl: 'Przy naszej firmie brakuje kraju',
  },
  sellerCity: {
    en: 'Our company’s city is missing',
    de: 'Bei unserem Unternehmen fehlt der Ort',
    pl: 'Przy naszej firmie brakuje miejscowości',
  },
  sellerPostal: {
    en: 'Our company’s postal code is missing',
    de: 'Bei unserem Unternehmen fehlt die Postleitzahl',
    pl: 'Przy naszej firmie brakuje kodu pocztowego',
  },
  sellerTax: {
    en: 'Our company needs its VAT number or its tax number',
    de: 'Unser Unternehmen braucht seine USt-IdNr. oder seine Steuernummer',
    pl: 'Nasza firma musi mieć numer VAT lub numer podatkowy',
  },
  sellerTaxNumber: {
    en: 'An invoice outside the scope of VAT names our company by its tax number, which is missing',
    de: 'Eine nicht steuerbare Rechnung nennt die Steuernummer unseres Unternehmens; sie fehlt',
    pl: 'Faktura niepodlegająca VAT podaje numer podatkowy naszej firmy, a tego brakuje',
  },
  sellerRegister: {
    en: 'Without a VAT number on the invoice our company needs its number in the commercial register',
    de: 'Ohne USt-IdNr. auf der Rechnung braucht unser Unternehmen seine Handelsregisternummer',
    pl: 'Bez numeru VAT na fakturze nasza firma musi podać numer w rejestrze handlowym',
  },
  sellerVatPrefix: {
    en: 'Our company’s VAT number must begin with the letters of its country',
    de: 'Die USt-IdNr. unseres Unternehmens muss mit dem Länderkürzel beginnen',
    pl: 'Numer VAT naszej firmy musi zaczynać się od kodu kraju',
  },
  sellerAddress: {
    en: 'XRechnung needs the electronic address of our company',
    de: 'XRechnung braucht die elektronische Adresse unseres Unternehmens',
    pl: 'XRechnung wymaga adresu elektronicznego naszej firmy',
  },
  contactName: {
    en: 'XRechnung needs the name of a contact at our company',
    de: 'XRechnung braucht den Namen eines Ansprechpartners in unserem Unternehmen',
    pl: 'XRechnung wymaga osoby kontaktowej w naszej firmie',
  },
  contactPhone: {
    en: 'XRechnung needs the phone number of the contact at our company',
    de: 'XRechnung braucht die Telefonnummer des Ansprechpartners in unserem Unternehmen',
    pl: 'XRechnung wymaga numeru telefonu osoby kontaktowej w naszej firmie',
  },
  contactPhoneDigits: {
    en: 'The phone number of our contact must have three digits at least',
    de: 'Die Telefonnummer unseres Ansprechpartners muss mindestens drei Ziffern haben',
    pl: 'Numer telefonu naszej osoby kontaktowej musi mieć co najmniej trzy cyfry',
  },
  contactEmail: {
    en: 'XRechnung needs the email address of the contact at our company',
    de: 'XRechnung braucht die E-Mail-Adresse des Ansprechpartners in unserem Unternehmen',
    pl: 'XRechnung wymaga adresu e-mail osoby kontaktowej w naszej firmie',
  },
  contactEmailShape: {
    en: 'The email address of our contact is none',
    de: 'Die E-Mail-Adresse unseres Ansprechpartners ist ungültig',
    pl: 'Adres e-mail naszej osoby kontaktowej jest nieprawidłowy',
  },
  iban: {
    en: 'The invoice needs a bank account of our company with a valid IBAN',
    de: 'Die Rechnung braucht ein Bankkonto unseres Unternehmens mit gültiger IBAN',
    pl: 'Faktura wymaga rachunku bankowego naszej firmy z poprawnym numerem IBAN',
  },
  buyerName: {
    en: 'The billing customer has no name',
    de: 'Der Rechnungskunde hat keinen Namen',
    pl: 'Płatnik nie ma nazwy',
  },
  buyerCountry: {
    en: 'The billing customer has no country',
    de: 'Beim Rechnungskunden fehlt das Land',
    pl: 'Przy płatniku brakuje kraju',
  },
  buyerCity: {
    en: 'The billing customer’s city is missing',
    de: 'Beim Rechnungskunden fehlt der Ort',
    pl: 'Przy płatniku brakuje miejscowości',
  },
  buyerPostal: {
    en: 'The billing customer’s postal code is missing',
    de: 'Beim Rechnungskunden fehlt die Postleitzahl',
    pl: 'Przy płatniku brakuje kodu pocztowego',
  },
  buyerVat: {
    en: 'Reverse charge needs the VAT number of the billing customer',
    de: 'Reverse Charge braucht die USt-IdNr. des Rechnungskunden',
    pl: 'Odwrotne obciążenie wymaga numeru VAT płatnika',
  },
  buyerVatPrefix: {
    en: 'The billing customer’s VAT number must begin with the letters of its country',
    de: 'Die USt-IdNr. des Rechnungskunden muss mit dem Länderkürzel beginnen',
    pl: 'Numer VAT płatnika musi zaczynać się od kodu kraju',
  },
  buyerReference: {
    en: 'The buyer reference is missing (of public customers their Leitweg-ID)',
    de: 'Die Käuferreferenz fehlt (bei öffentlichen Auftraggebern die Leitweg-ID)',
    pl: 'Brakuje referencji nabywcy (u zamawiających publicznych: Leitweg-ID)',
  },
  leitwegId: {
    en: 'The check digits of the Leitweg-ID are wrong: one of its digits was mistyped',
    de: 'Die Prüfziffern der Leitweg-ID stimmen nicht: eine Stelle ist falsch geschrieben',
    pl: 'Cyfry kontrolne Leitweg-ID się nie zgadzają: jeden ze znaków jest błędny',
  },
  buyerAddress: {
    en: 'XRechnung needs the electronic address of the billing customer',
    de: 'XRechnung braucht die elektronische Adresse des Rechnungskunden',
    pl: 'XRechnung wymaga adresu elektronicznego płatnika',
  },
  scheme: {
    en: 'Say of what kind the electronic address is',
    de: 'Bei der elektronischen Adresse fehlt die Art',
    pl: 'Brakuje rodzaju adresu elektronicznego',
  },
  schemeUnknown: {
    en: 'This kind of electronic address is not on the list (EAS)',
    de: 'Diese Art elektronischer Adresse steht nicht auf der Liste (EAS)',
    pl: 'Tego rodzaju adresu elektronicznego nie ma na liście (EAS)',
  },
  addressDigits: {
    en: 'The check digit of the electronic address is wrong: one of its digits was mistyped, or is missing',
    de: 'Die Prüfziffer der elektronischen Adresse stimmt nicht: eine Ziffer ist falsch geschrieben oder fehlt',
    pl: 'Cyfra kontrolna adresu elektronicznego się nie zgadza: jedna z cyfr jest błędna albo jej brakuje',
  },
  countryUnknown: {
    en: 'The code of the country is not on the list (ISO 3166-1), as UK is not; choose another one',
    de: 'Das Kürzel des Landes steht nicht auf der Liste (ISO 3166-1), wie etwa UK; bitte ein anderes wählen',
    pl: 'Kodu kraju nie ma na liście (ISO 3166-1), jak na przykład UK; wybierz inny',
  },
  lines: { en: 'The invoice has no lines', de: 'Die Rechnung hat keine Positionen', pl: 'Faktura nie ma pozycji' },
  lineText: { en: 'The line has no text', de: 'Die Position hat keinen Text', pl: 'Pozycja nie ma opisu' },
  lineAmount: {
    en: 'Quantity times unit price is not the net amount of the line',
    de: 'Menge mal Einzelpreis ergibt nicht den Nettobetrag der Position',
    pl: 'Ilość razy cena jednostkowa nie daje kwoty netto pozycji',
  },
  category: {
    en: 'This VAT category cannot be invoiced',
    de: 'Diese Steuerkategorie kann nicht berechnet werden',
    pl: 'Tej kategorii VAT nie można zafakturować',
  },
  rateNeeded: {
    en: 'A standard-rated line needs a VAT rate above 0 %',
    de: 'Eine steuerpflichtige Position braucht einen Steuersatz über 0 %',
    pl: 'Pozycja opodatkowana musi mieć stawkę VAT wyższą niż 0%',
  },
  rateZero: {
    en: 'Without VAT the rate of the line must be 0 %',
    de: 'Ohne Steuer muss der Steuersatz der Position 0 % sein',
    pl: 'Bez VAT stawka w pozycji musi wynosić 0%',
  },
  reason: {
    en: 'An exempt line needs the reason for it, and for our company’s country none is known',
    de: 'Eine steuerfreie Position braucht einen Grund, und für das Land unseres Unternehmens ist keiner hinterlegt',
    pl: 'Pozycja zwolniona wymaga podania przyczyny, a dla kraju naszej firmy żadnej nie przewidziano',
  },
  outsideScopeAlone: {
    en: 'What is outside the scope of VAT cannot stand with other lines: write two invoices',
    de: 'Nicht steuerbare Positionen dürfen nicht neben anderen stehen: schreiben Sie zwei Rechnungen',
    pl: 'Pozycje niepodlegające VAT nie mogą stać obok innych: wystaw dwie faktury',
  },
  period: {
    en: 'The service period ends before it begins',
    de: 'Der Leistungszeitraum endet, bevor er beginnt',
    pl: 'Okres usługi kończy się przed rozpoczęciem',
  },
  correctionOf: {
    en: 'The correction names no invoice that it corrects',
    de: 'Die Korrektur nennt keine Rechnung, die sie berichtigt',
    pl: 'Korekta nie wskazuje korygowanej faktury',
  },
  due: {
    en: 'The invoice says nothing about when it is to be paid',
    de: 'Die Rechnung sagt nicht, wann sie zu zahlen ist',
    pl: 'Faktura nie podaje terminu płatności',
  },
  sums: {
    en: 'The sums of the invoice do not fit its lines: save it anew',
    de: 'Die Summen der Rechnung passen nicht zu ihren Positionen: speichern Sie sie neu',
    pl: 'Sumy faktury nie zgadzają się z pozycjami: zapisz ją ponownie',
  },
} as const satisfies Record<string, Texts>
export type FindingText = keyof typeof FINDING_TEXTS
