import { long } from '../text/long.ts'
import type { MailText } from '@waybill/contract/intake/reading'
import type { Found } from '../find/found.ts'
import type { Contact } from '../find/contacts.ts'
import { townAt, type Place, type Towns } from '../find/places.ts'
import { fold } from '@waybill/contract/kit/text'
import { blockBefore, companiesIn, hasLegalForm, piecesOf } from './address.ts'
import { leaf, noParty, type DraftParty, type DraftStop, type Maybe } from './draft.ts'
import type { Findings } from './findings.ts'
import type { Site } from './stops.ts'

/** Words of a domain or a name that say who it is. */
const wordsOf = (text: string): string[] =>
  fold(text)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .filter(
      (word) =>
        word.length > 2 && !/^(?:gmbh|ltd|limited|example|com|net|org|www|mail|sro|srl|spa|kft|and|und|co)$/.test(word),
    )

/** How well a company's name fits the domain of the sender: 0 to 1. */
function fitOf(name: string, domain: string): number {
  const plain = wordsOf(domain.replace(/\.[a-z]{2,10}$/, ''))
  const words = wordsOf(name)
  if (plain.length === 0 || words.length === 0) return 0
  const isHit = (word: string) =>
    words.some(
      (other) =>
        other === word ||
        (word.length > 4 && other.startsWith(word.slice(0, Math.max(4, word.length - 2)))) ||
        (other.length > 3 && word.startsWith(other)) ||
        (word.length > 3 && other.startsWith(word)),
    )
  const joined = words.join('')
  const hits = plain.filter(
    (word) => isHit(word) || joined.includes(word) || (joined.length > 5 && word.includes(joined)),
  ).length
  return hits / plain.length
}

const partyAt = (place: Place, block: ReturnType<typeof blockBefore>): DraftParty => ({
  ...noParty(),
  title: block.company,
  address: block.address,
  postal: place.postal === null ? null : leaf(place.postal.value, place.postal),
  city: leaf(place.city.value, place.city),
  countryCode: place.country === null ? null : leaf(place.country.code, place.country),
})

export interface CustomerReading {
  customer: DraftParty
  billing: DraftParty | null
}

const addressOf = (from: Pick<DraftParty, 'address' | 'postal' | 'city' | 'countryCode'>) => ({
  address: from.address && { ...from.address, sure: false },
  postal: from.postal && { ...from.postal, sure: false },
  city: from.city && { ...from.city, sure: false },
  countryCode: from.countryCode && { ...from.countryCode, sure: false },
})

const sameName = (one: string, other: string): boolean => {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  return a.length > 0 && b.length > 0 && (a.every((word) => b.includes(word)) || b.every((word) => a.includes(word)))
}

const CLOSING = new RegExp(
  long`
    ^(?:\p{L}{2,12} ){0,2}(?:Gr(?:u|ü)(?:ß|ss)e?n?|MfG|VG|LG|Regards|regards|Rgds|Cheers|Thanks|Pozdrawiam|poważaniem)
    [,.!]{0,2}\s{1,3}
  `,
  'u',
)

/** `Gruß Weserglas`: the name alone. */
function withoutClosing<One extends Found & { text: string }>(one: One): One {
  const length = CLOSING.exec(one.text)?.[0].length ?? 0
  return { ...one, from: one.from + length, text: one.text.slice(length) }
}

/** Who orders: by label, signature, or the name that fits the sender's domain; and who is billed, if another. */
export function readCustomer(
  mail: MailText,
  found: Findings,
  sites: readonly Site[],
  stops: readonly DraftStop[],
  signature: Findings,
  signatureAt: readonly Found[],
  sender: Found,
  towns: Towns,
): CustomerReading {
  const address = mail.from?.address ?? ''
  const domain = address.slice(address.indexOf('@') + 1)
  const party = noParty()
  if (address !== '') {
    const from = sender.to - address.length - (mail.from?.name ? 1 : 0)
    party.email = leaf(address.toLowerCase(), { from, to: from + address.length }, true)
  }
  const signed = signatureAt.flatMap(({ from, to }) => companiesIn(signature.rest, from, to))
  const labelled = sites.find(({ role }) => role === 'customer')
  const billed = sites.find(({ role }) => role === 'billing')
  const billingCue = found.cues.find(({ role }) => role === 'billing')
  const customerCue = found.cues.find(({ role }) => role === 'customer')
  const named = [
    ...signed,
    ...(customerCue === undefined ? [] : companiesIn(found.rest, customerCue.to, lineEnd(found.low, customerCue.to))),
    ...(billingCue === undefined || billed !== undefined
      ? []
      : companiesIn(found.rest, billingCue.to, lineEnd(found.low, billingCue.to))),
    ...sites
      .filter(({ role }) => role !== 'billing')
      .flatMap(({ block }) => (block.company === null ? [] : [{ ...block.company, text: block.company.value }])),
    ...signatureAt
      .flatMap(({ from, to }) => piecesOf(signature.rest, from, to))
      .map(withoutClosing)
      .filter(({ text }) => text.length > 1 && text.length < 50 && !/[\ue000@]/.test(text)),
  ]
  const labelledParty = labelled === undefined ? null : partyAt(labelled.place, labelled.block)
  const ranked = named
    .map((one, index) => ({ one, fit: fitOf(one.text, domain), index }))
    .filter(({ fit }) => fit > 0.45)
    .sort(
      (a, b) =>
        b.fit - a.fit || Number(hasLegalForm(b.one.text)) - Number(hasLegalForm(a.one.text)) || a.index - b.index,
    )
  const best = ranked[0]
  if (labelledParty?.title) Object.assign(party, labelledParty, { email: party.email })
  else if (best !== undefined) {
    // The name by itself, with its legal form where one of the places writes it.
    const full = named.find(({ text }) => hasLegalForm(text) && sameName(text, best.one.text)) ?? best.one
    party.title = leaf(full.text, full, best.fit >= 0.99 && hasLegalForm(full.text))
  } else if (signed[0] !== undefined) party.title = leaf(signed[0].text, signed[0])
  const signaturePlace = signature.places.find((place) =>
    signatureAt.some(({ from, to }) => place.from >= from && place.from < to),
  )
  if (signaturePlace !== undefined) {
    const bound = signatureAt.find(({ from, to }) => signaturePlace.from >= from && signaturePlace.from < to)!
    const block = blockBefore(signature.rest, bound.from, signaturePlace)
    Object.assign(party, addressOf(partyAt(signaturePlace, block)))
    if (party.title === null && block.company !== null) party.title = block.company
  } else if (party.city === null) {
    const own = stops.find(
      ({ companyTitle }) =>
        companyTitle !== null && party.title !== null && sameName(companyTitle.value, party.title.value),
    )
    if (own !== undefined) Object.assign(party, addressOf(own))
    else if (
      billed !== undefined &&
      billed.block.company !== null &&
      party.title !== null &&
      sameName(billed.block.company.value, party.title.value)
    )
      Object.assign(party, addressOf(partyAt(billed.place, billed.block)))
  }
  if (party.city === null && party.title !== null) {
    // `Polychem Trade GmbH, Köln`
    const gap = /^\s{0,2}[,|–-]\s{0,2}/.exec(signature.rest.slice(party.title.to, party.title.to + 6))
    const isSigned = signatureAt.some(({ from, to }) => party.title!.from >= from && party.title!.from < to)
    const town =
      gap === null || !isSigned ? null : townAt(signature.rest, signature.low, party.title.to + gap[0].length, towns)
    if (town !== null) {
      party.city = leaf(town.city.value, town.city)
      party.countryCode = town.country === null ? null : leaf(town.country.code, town.country)
    }
  }
  const billing = billed === undefined ? null : partyAt(billed.place, billed.block)
  const isOther = billing?.title != null && (party.title === null || !sameName(billing.title.value, party.title.value))
  const billingSegments = billed?.segments ?? []
  const ofBilling = (one: Contact) =>
    isOther &&
    !signature.contacts.includes(one) &&
    one.from - billed!.place.to < 300 &&
    billingSegments.some(({ from, to }) => one.from >= from && one.from < to)
  const vats = [...signature.contacts, ...found.contacts].filter(({ kind }) => kind === 'vat')
  const own = vats.find((one) => !ofBilling(one))
  party.vatNumber = vatLeaf(own)
  if (isOther && billing !== null) billing.vatNumber = vatLeaf(vats.find(ofBilling))
  return { customer: party, billing: isOther ? billing : null }
}

const vatLeaf = (one: Contact | undefined): Maybe<string> => (one === undefined ? null : leaf(one.value, one, true))

const lineEnd = (low: string, at: number): number => {
  const end = low.indexOf('\n', at)
  return Math.min(end < 0 ? low.length : end, at + 300)
}

const NAME = new RegExp(
  long`
    ^(?:(?:i\.\s?[AV]\.|ppa\.|Ihre?|Herr|Frau|Dr\.|Dipl\.-\p{L}{2,6}\.?|mgr|inż\.|Pan|Pani|Mr\.?|Mrs\.?
    |Ms\.?)\s{1,2}){0,3}(\p{Lu}[\p{L}'’-]{1,20}(?:\s(?:\p{Lu}\.|van|von|de|der|den|di
    |el))*(?:\s\p{Lu}[\p{L}'’-]{1,24}){0,2})$
  `,
  'u',
)
const PARTING = new RegExp(long`
    ^[\s>]{0,4}(?:mit )?(?:freundlich\S{0,3}|best\S{0,2}|viel\S{0,2}|schon\S{0,2}|lieb\S{0,2}|herzlich\S{0,2}|kind
    |danke und|vielen dank und)?\s{0,2}(?:grus\S{0,4}|gru\S{0,4}|mfg|vg|lg|regards|rgds|wishes|thanks|cheers
    |thank you|pozdrawiam|pozdr\.?|z powazaniem|groet(?:en)?)[\s,!.]{0,4}
  `)
const NO_NAME = new RegExp(long`
    (?:gmbh|abteilung|logisti|dispo|versand|einkauf|export|import|team|department|manager|leiter|lager|dzial
    |spedycja|biuro|transport|sales|shipping|purchas|planner|traffic|sourcing|vertrieb|kierownik|specjalista
    |warehouse|office|info|auftrag|orders?|no-?reply)
  `)

/** The person who orders: named in the signature or by a label, else the sender. */
export function readContact(
  mail: MailText,
  found: Findings,
  signature: Findings,
  signatureAt: readonly Found[],
  sender: Found,
): Maybe<string> {
  const labelled = [...found.persons, ...signature.persons].find(({ label }) =>
    /wystawil|planner|bestellt|ordered|besteller|disponent|bearbeiter|zamawiaj|booked|requested|prepared/.test(
      label ?? '',
    ),
  )
  if (labelled !== undefined) return leaf(labelled.name, labelled)
  for (const { from, to } of signatureAt) {
    for (const piece of piecesOf(signature.text, from, Math.min(to, from + 300)).slice(0, 7)) {
      const low = signature.low.slice(piece.from, piece.to)
      const parting = PARTING.exec(low)?.[0].length ?? 0
      const text = piece.text.slice(parting).trim()
      const match = NAME.exec(text)
      if (match === null || NO_NAME.test(fold(text)) || hasLegalForm(text)) continue
      const start = piece.from + piece.text.indexOf(match[1]!, parting)
      const isTwoWords = match[1]!.includes(' ')
      const isSender = mail.from?.name != null && sameName(mail.from.name, match[1]!)
      if (!isTwoWords && !isSender && !/^(?:Herr|Frau|Pan|Pani|Mr|Ms|Mrs)/.test(text)) continue
      // The first name alone in the mail: the sender's whole name.
      if (!isTwoWords && isSender) break
      return leaf(match[1]!, { from: start, to: start + match[1]!.length }, isSender && isTwoWords)
    }
  }
  const name = mail.from?.name ?? null
  const contact = found.persons.find(({ label }) => /^(?:contact|kontakt|ansprechpartner)/.test(label ?? ''))
  if (
    name !== null &&
    /^\p{Lu}[\p{L}'’-]+(?:\s[\p{L}.'’-]+){1,3}$/u.test(name) &&
    !NO_NAME.test(fold(name)) &&
    isPersonal(name, mail.from!.address)
  )
    return leaf(name, { from: sender.from, to: sender.from + name.length }, true)
  if (
    contact !== undefined &&
    found.places[0] !== undefined &&
    contact.from < found.places[found.places.length > 1 ? 1 : 0]!.from &&
    isBeforeCues(found, contact.from)
  )
    return leaf(contact.name, contact)
  return null
}

const isBeforeCues = (found: Findings, at: number): boolean =>
  !found.cues.some(({ from, role }) => from < at && (role === 'pickUp' || role === 'dropOff'))

/** `g.pluta@` is Grzegorz Pluta's, `export@` is nobody's. */
const isPersonal = (name: string, address: string): boolean => {
  const local = fold(address.slice(0, address.indexOf('@'))).replace(/[^a-z]/g, '')
  return wordsOf(name).some((word) => local.includes(word)) || /^[a-z]{1,3}$/.test(local)
}
