import type { Language } from '@waybill/contract/errors'
import { priceByCard } from '@waybill/contract/quote/pricing'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { countryChoices } from '../../kit/i18n/country-choices.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { OptionalDayField } from '../typed-day/day-select.tsx'
import { FigureField } from './figure-field.tsx'
import { known } from './price-part.tsx'
import classes from './quote.module.css'
import { triedCard, type CardValues } from './rate-card-values.ts'

/** What the card, as it is typed, asks for a transport: worked out here by the rule that prices quotes. */
export function TryCard({ values, today }: { values: CardValues; today: string }) {
  const { t, i18n } = useTranslation('rate-card')
  const format = useFormat()
  const language = i18n.language as Language
  const countries = useMemo(
    () => countryChoices(language).map(({ value, label }) => ({ value, label: `${value} ${label}` })),
    [language],
  )
  const line = values.lines[0]
  const [typed, setTyped] = useState({
    from: { countryCode: line?.fromCountryCode || null, postal: '' },
    to: { countryCode: line?.toCountryCode || null, postal: '' },
    distanceKm: null as number | null,
    ldm: null as number | null,
    weightKg: null as number | null,
    day: today as string | null,
  })
  const set = (part: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...part }))
  const placed = ({ countryCode, postal }: (typeof typed)['from']) => ({
    countryCode: countryCode ?? '',
    postal: postal.trim() || null,
  })
  const card = triedCard(values)
  const price =
    typed.from.countryCode === null || typed.to.countryCode === null
      ? null
      : priceByCard(card, {
          from: placed(typed.from),
          to: placed(typed.to),
          day: typed.day ?? today,
          distanceKm: known(typed.distanceKm),
          ldm: known(typed.ldm),
          weightKg: known(typed.weightKg),
        })
  const parts =
    price === null
      ? []
      : [
          `${t('try.line', { line: price.line + 1 })} ${format.money(price.baseCents)}${
            price.isMinimum ? ` (${t('try.minimum')})` : ''
          }`,
          price.fuelCents > 0
            ? `${t('try.fuel', { percent: format.percent(price.fuelBp) })} ${format.money(price.fuelCents)}`
            : '',
          price.surchargeCents > 0 ? `${t('try.surcharges')} ${format.money(price.surchargeCents)}` : '',
        ]
  return (
    <section className={classes.tried} aria-label={t('try.title')}>
      <h3>{t('try.title')}</h3>
      <div className={classes.tryFields}>
        {(['from', 'to'] as const).map((end) => (
          <div key={end} className={classes.pair}>
            <SelectField
              label={t(`columns.${end}CountryCode`)}
              searchable
              data={countries}
              value={typed[end].countryCode}
              onChange={(countryCode) => set({ [end]: { ...typed[end], countryCode } })}
            />
            <TextField
              label={t(`try.${end}Postal`)}
              maxLength={20}
              autoComplete="off"
              value={typed[end].postal}
              onChange={(event) => set({ [end]: { ...typed[end], postal: event.currentTarget.value } })}
            />
          </div>
        ))}
        <FigureField
          label={t('try.distanceKm')}
          unit="km"
          value={typed.distanceKm}
          onChange={(distanceKm) => set({ distanceKm })}
        />
        <FigureField label={t('try.ldm')} unit="m" value={typed.ldm} onChange={(ldm) => set({ ldm })} />
        <FigureField
          label={t('try.weightKg')}
          unit="kg"
          value={typed.weightKg}
          onChange={(weightKg) => set({ weightKg })}
        />
        <OptionalDayField label={t('try.day')} value={typed.day} onChange={(day) => set({ day })} />
      </div>
      <p role="status" className={classes.result}>
        {price === null ? (
          t('try.none')
        ) : (
          <>
            {parts.filter(Boolean).join(' + ')} = <b>{format.euro(price.totalCents)}</b>
          </>
        )}
      </p>
    </section>
  )
}
