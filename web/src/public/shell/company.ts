import type { OurOffice } from '@waybill/contract/public/our-office'
import { element } from './element.ts'
import { phoneLink } from './parts.ts'
import type { Words } from './words.ts'

/** Whom a public page is from. */
interface Company {
  title: string
  phone: string | null
  email: string | null
  /** a PNG, base64 */
  logo: string | null
}

interface Contact {
  name: string | null
  phone: string | null
}

/** Name and logo at the head of the page, and in the title of the window. */
export function drawCompany(company: Company | null, pageTitle: string): void {
  document.title = [pageTitle, company?.title].filter(Boolean).join(' · ')
  if (company === null) return
  document.getElementById('company')!.textContent = company.title
  const mark = document.querySelector<HTMLImageElement>('#bar img')!
  if (company.logo !== null) mark.src = `data:image/png;base64,${company.logo}`
}

/** Whom to ask: the case worker, else the company. */
export function footView(company: Company, contact: Contact, { t }: Words<'questions'>): HTMLElement {
  const phone = contact.phone ?? company.phone
  return element(
    'footer',
    { class: 'foot' },
    t('questions'),
    ' ',
    contact.name === null ? '' : `${contact.name}, `,
    phone !== null && phoneLink(phone),
    phone === null && company.email !== null && element('a', { href: `mailto:${company.email}` }, company.email),
  )
}

/** Name, address and phone of our main company: a wrong link tells nothing of its own. */
export function officeView(office: OurOffice, { countryName }: Pick<Words<never>, 'countryName'>): HTMLElement {
  const { title, address, postal, city, countryCode, phone, email } = office
  const town = [postal, city].filter(Boolean).join(' ')
  return element(
    'address',
    {},
    element('b', {}, title),
    element('span', {}, [address, town, countryName(countryCode)].filter(Boolean).join(', ')),
    phone !== null && phoneLink(phone),
    email !== null && element('a', { href: `mailto:${email}` }, email),
  )
}
