import type { CarrierChoices } from '@waybill/contract/order/choice/carrier-choice'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { TextField } from '../../../ui/fields/field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import classes from './choice.module.css'

interface RankedToolsProps {
  choices: CarrierChoices
  typed: string
  search: RefObject<HTMLInputElement | null>
  onType: (typed: string) => void
}

/** What the list is about, in which order it stands, and the way to everybody else. */
export function RankedTools({ choices, typed, search, onType }: RankedToolsProps) {
  const { t } = useTranslation('carrier-choice')
  const format = useFormat()
  const { lane, revenueCents, limitCents, marginWarningBp } = choices
  return (
    <>
      <div className={classes.head}>
        {lane === null ? (
          <p>{t('noLane')}</p>
        ) : (
          <p>
            <b>{t('lane', { from: laneEnd(lane.from), to: laneEnd(lane.to) })}</b> {t('spread')}
          </p>
        )}
        {revenueCents === null ? null : (
          <p>
            {t('price', { price: format.euro(revenueCents) })}
            {limitCents === null
              ? null
              : `, ${t('limit', { margin: format.percent(marginWarningBp), limit: format.euro(limitCents) })}`}
          </p>
        )}
      </div>
      <div className={classes.tools}>
        <TextField
          label={t('find')}
          leftSection={<Icon name="search" size={13} />}
          rightSection={<KeyHint>/</KeyHint>}
          ref={search}
          autoComplete="off"
          maxLength={100}
          value={typed}
          onChange={(event) => onType(event.currentTarget.value)}
        />
        <p className={classes.sentence}>{t('sentence')}</p>
      </div>
    </>
  )
}

const laneEnd = ({ countryCode, area }: { countryCode: string; area: string }) => `${countryCode} ${area}`
