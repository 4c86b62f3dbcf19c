import { Button } from '@mantine/core'
import type { StopLoadCarriers } from '@waybill/contract/load-carrier/stop'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import classes from './load-carrier.module.css'

type Told = NonNullable<StopLoadCarriers['told']>

interface ToldNoticeProps {
  read: Pick<StopLoadCarriers, 'told' | 'isAsTold' | 'types'>
  /** as they are typed now */
  typed: { lines: Told['lines']; noteNumber: string }
  isReadOnly: boolean
  onTake: (told: Told) => void
}

const sorted = (lines: Told['lines']): string =>
  JSON.stringify(
    lines
      .map(({ typeId, given, received, damaged }) => [typeId, given, received, damaged] as const)
      .toSorted(([one], [other]) => one - other),
  )

/** What the driver told of a stop, beside what is typed there. */
export function ToldNotice({ read: { told, isAsTold, types }, typed, isReadOnly, onTake }: ToldNoticeProps) {
  const { t } = useTranslation('load-carrier')
  const format = useFormat()
  if (told === null) return null
  const at = format.dayTime(told.at)
  const isSame = sorted(told.lines) === sorted(typed.lines) && (told.noteNumber ?? '') === typed.noteNumber.trim()
  if (isSame)
    return isAsTold ? (
      <div className={classes.told}>
        <Notice>{t('stop.asTold', { at })}</Notice>
      </div>
    ) : (
      <p className={classes.told}>{t('stop.sameTold', { at })}</p>
    )
  const pieces = told.lines.map(({ typeId, given, received, damaged }) =>
    t(damaged > 0 ? 'stop.toldDamaged' : 'stop.toldPieces', {
      type: types.find(({ id }) => id === typeId)?.title ?? '',
      given: format.number(given),
      received: format.number(received),
      damaged: format.number(damaged),
    }),
  )
  const what = [
    pieces.length === 0 ? t('stop.toldNothing') : pieces.join('; '),
    ...(told.noteNumber === null ? [] : [t('stop.toldNote', { number: told.noteNumber })]),
  ].join(', ')
  return (
    <div className={classes.told}>
      <Notice>
        {t('stop.otherTold', { at, what })}{' '}
        {isReadOnly ? null : (
          <Button size="compact-sm" variant="default" onClick={() => onTake(told)}>
            {t('stop.takeTold')}
          </Button>
        )}
      </Notice>
    </div>
  )
}
