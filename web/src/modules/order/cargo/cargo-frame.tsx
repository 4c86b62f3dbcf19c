import { CHARGEABLE, chargeableWeightKg } from '@waybill/contract/order/cargo'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import classes from '../grid/grid.module.css'
import type { CargoValues } from '../values/draft.ts'
import { sumsOf } from './cargo-figures.ts'

export interface ChargeableFactors {
  chargeableKgPerM3: number
  chargeableKgPerLdm: number
}

/** The columns of the lines, with their widths and names. */
export function CargoHead() {
  const { t } = useTranslation('cargo')
  return (
    <>
      <colgroup>
        <col style={{ width: 24 }} />
        <col style={{ width: 40 }} />
        <col style={{ width: 98 }} />
        <col />
        <col style={{ width: 46 }} />
        <col style={{ width: 46 }} />
        <col style={{ width: 46 }} />
        <col style={{ width: 68 }} />
        <col style={{ width: 62 }} />
        <col style={{ width: 56 }} />
        <col style={{ width: 74 }} />
        <col style={{ width: 30 }} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">
            <span className={classes.hidden}>{t('line')}</span>
          </th>
          <th scope="col" data-end>
            {t('columns.quantity')}
          </th>
          <th scope="col">{t('columns.unitTypeId')}</th>
          <th scope="col">{t('columns.title')}</th>
          <th scope="col" data-end>
            {t('columns.lengthCm')}
          </th>
          <th scope="col" data-end>
            {t('columns.widthCm')}
          </th>
          <th scope="col" data-end>
            {t('columns.heightCm')}
          </th>
          <th scope="col" data-end>
            {t('columns.weightKg')}
          </th>
          <th scope="col" data-end>
            {t('columns.volumeM3')}
          </th>
          <th scope="col" data-end>
            {t('columns.ldm')}
          </th>
          <th scope="col">{t('columns.stops')}</th>
          <th scope="col">
            <span className={classes.hidden}>{t('columns.more')}</span>
          </th>
        </tr>
      </thead>
    </>
  )
}

/** The sums of all lines, and the weight that their freight is charged by (domain, Cargo). */
export function CargoFoot({ cargo, factors }: { cargo: CargoValues[]; factors: ChargeableFactors | undefined }) {
  const { t } = useTranslation('cargo')
  const format = useFormat()
  const totals = sumsOf(cargo)
  const chargeable = chargeableWeightKg(totals, factors)
  const basis =
    chargeable === totals.weightKg
      ? null
      : chargeable === chargeableWeightKg({ ldm: totals.ldm }, factors)
        ? 'ldm'
        : 'volumeM3'
  const factor =
    basis === 'ldm'
      ? (factors?.chargeableKgPerLdm ?? CHARGEABLE.chargeableKgPerLdm)
      : (factors?.chargeableKgPerM3 ?? CHARGEABLE.chargeableKgPerM3)
  return (
    <tfoot>
      <tr>
        <td />
        <td data-end>{format.number(totals.quantity)}</td>
        <td colSpan={5} className={classes.chargeable}>
          {t('chargeable', { kg: format.number(chargeable, 0, 0) })}{' '}
          {basis === null ? '' : `(${t(`basis.${basis}`)} × ${format.number(factor)})`}
        </td>
        <td data-end>{format.number(totals.weightKg, 0, 1)}</td>
        <td data-end>{format.number(totals.volumeM3, 2, 2)}</td>
        <td data-end>{format.number(totals.ldm, 1, 2)}</td>
        <td colSpan={2} />
      </tr>
    </tfoot>
  )
}
