import type { ExtraKind } from '@waybill/contract/order/extra'
import type { UploadPage } from '@waybill/contract/public/upload-link'
import { element } from '../shell/element.ts'
import type { Words } from './upload-words.ts'

/** What the page is about: the transport, what was agreed, and what we need. */
export function routeView(page: UploadPage, { t, format }: Words): HTMLElement {
  const { route, agreed, company } = page
  const isPart = agreed !== null && agreed.invoicedCents !== 0
  const needs = page.needs.map((kind) => t(kind === 'pod' ? 'neededPod' : 'neededInvoice'))
  const fact = (label: string, value: string | null, className = '') =>
    value === null ? [] : [element('dt', { class: className }, label), element('dd', { class: className }, value)]
  const stops = route.stops.map(({ countryCode, city, day, isDone }) =>
    element(
      'li',
      {},
      element('span', { class: 'country' }, countryCode),
      element('span', { class: 'town' }, city ?? '–'),
      element('span', { class: 'day' }, day === null ? '' : format.date(day), isDone ? ' ✓' : ''),
    ),
  )
  const place = [company.address, [company.postal, company.city].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return element(
    'div',
    { class: 'job' },
    element('p', { class: 'dim' }, t('forCarrier', { carrier: page.carrier })),
    element('h1', {}, t('heading', { number: route.number })),
    element('ol', { class: 'stops', 'aria-label': t('route') }, ...stops),
    element(
      'dl',
      { class: 'facts' },
      ...fact(t('plate'), route.plateNumber),
      ...fact(t('customer'), page.customer),
      ...(agreed === null
        ? []
        : [
            ...(agreed.extras.length === 0 && agreed.invoicedCents === 0
              ? []
              : [
                  ...fact(t('agreedFreight'), format.euro(agreed.freightCents)),
                  ...agreed.extras.flatMap(({ kind, netCents }) =>
                    fact(t(`${kind as ExtraKind}_extra`), format.euro(netCents)),
                  ),
                  ...fact(
                    t('invoicedBefore'),
                    agreed.invoicedCents === 0 ? null : format.euro(0 - agreed.invoicedCents),
                  ),
                ]),
            ...fact(t(isPart ? 'leftNet' : 'agreedNet'), format.euro(agreed.netCents)),
            ...fact(t('agreedVat', { rate: format.percent(agreed.vatBp) }), format.euro(agreed.vatCents)),
            ...fact(t(isPart ? 'leftTotal' : 'agreedTotal'), format.euro(agreed.totalCents)),
          ]),
      ...fact(t('needed'), needs.length === 0 ? null : format.list(needs), 'wide'),
      ...fact(t('period'), t('periodDays', { days: page.paymentPeriodDays }), 'wide'),
      ...fact(t('billTo'), [company.title, place, company.vatNumber].filter(Boolean).join('\n'), 'wide'),
    ),
  )
}
