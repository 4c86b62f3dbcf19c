import type { Language } from '@waybill/contract/errors'
import { readNumber } from '@waybill/contract/kit/number-text'
import { maySplitOff, packagesWith, splitCargo } from '@waybill/contract/order/split-cargo'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useKeptInForm } from '../../../kit/form/state/use-kept-typing.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { TextField } from '../../../ui/fields/field.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import classes from '../grid/details.module.css'
import { withMeasures, type CargoValues } from '../values/draft.ts'

interface SplitCargoProps {
  line: CargoValues
  /** Its place, from 1 */
  number: number
  unit: string | null
  onClose: () => void
  /** What stays, and what goes to the second line */
  onSplit: (rest: CargoValues, part: CargoValues) => void
}

/** Asks how many units of a line go to a second line, and shows what each of both comes to. */
export function SplitCargo({ line, number, unit, onClose, onSplit }: SplitCargoProps) {
  const { t, i18n } = useTranslation('cargo')
  const format = useFormat()
  const language = i18n.language as Language
  const known = Number.isFinite(line.quantity)
  const half = known ? (line.quantity >= 2 ? Math.floor(line.quantity / 2) : line.quantity / 2) : 0
  // Figures that stand as text are those of a language.
  const kept = useKeptInForm<{ units: string; packages: string | null }>(`split/${line.id ?? line.key}/${language}`, {
    units: format.number(half, 0, 3),
    packages: null,
  })
  const { units: typed, packages: typedPackages } = kept.values
  const giveUp = () => {
    void kept.forget()
    onClose()
  }
  const [isTried, setTried] = useState(false)
  const units = readNumber(typed, language) ?? Number.NaN
  const isPossible = known && maySplitOff(line, units)
  const proposed = isPossible ? packagesWith(line, units) : null
  const packages = typedPackages === null ? proposed : readNumber(typedPackages, language)
  const arePackagesPossible =
    line.packages === null ||
    (packages !== null && Number.isInteger(packages) && packages >= 0 && packages <= line.packages)
  const parts = isPossible && arePackagesPossible ? splitCargo(line, units, packages) : null
  const words = (part: CargoValues) => {
    const measured = withMeasures(part, {})
    return [
      `${format.number(part.quantity, 0, 3)} ${unit ?? '×'}`,
      part.packages === null ? null : t('split.packages', { packages: format.number(part.packages) }),
      part.weightKg === null ? null : `${format.number(part.weightKg, 0, 3)} kg`,
      measured.volumeM3 === null ? null : `${format.number(measured.volumeM3, 0, 3)} m³`,
      measured.ldm === null ? null : `${format.number(measured.ldm, 1, 3)} Ldm`,
      part.valueCents === null ? null : format.euro(part.valueCents),
    ]
      .filter(Boolean)
      .join(', ')
  }
  const total = format.number(known ? line.quantity : 0, 0, 3)
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      onSubmit={() => {
        setTried(true)
        if (parts === null) return
        void kept.forget()
        onSplit(...parts)
      }}
      title={t('split.title', { line: line.title ?? t('lineNumber', { line: number }) })}
      closeLabel={t('close')}
      footer={
        <>
          <Button onClick={giveUp}>{t('split.cancel')}</Button>
          <Button type="submit" variant="filled">
            {t('split.done')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        <TextField
          label={t('split.units', { total })}
          name="splitUnits"
          inputMode="decimal"
          maxLength={12}
          data-autofocus
          value={typed}
          error={isPossible || (!isTried && typed === '') ? undefined : t('split.refused', { total })}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => kept.change({ units: event.currentTarget.value })}
        />
        {line.packages === null ? null : (
          <TextField
            label={t('split.packagesOf', { total: format.number(line.packages) })}
            name="splitPackages"
            inputMode="numeric"
            maxLength={12}
            value={typedPackages ?? (proposed === null ? '' : format.number(proposed))}
            error={
              !isPossible || arePackagesPossible
                ? undefined
                : t('split.refusedPackages', { total: format.number(line.packages) })
            }
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => kept.change({ packages: event.currentTarget.value })}
          />
        )}
        <dl className={`${classes.wide} ${classes.parts}`} aria-live="polite">
          <dt>{t('split.stays')}</dt>
          <dd>{parts === null ? '–' : words(parts[0])}</dd>
          <dt>{t('split.goes')}</dt>
          <dd>{parts === null ? '–' : words(parts[1])}</dd>
        </dl>
        <p className={`${classes.wide} ${classes.explained}`}>{t('split.explained')}</p>
      </div>
    </ModalFrame>
  )
}
