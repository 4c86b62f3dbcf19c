import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormCheck, FormNumber } from '../../kit/form/fields/fields.tsx'
import { useField } from '../../kit/form/state/form-context.ts'
import { useNamedField } from '../../kit/form/state/use-named-field.ts'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { Section } from '../../ui/page/section.tsx'
import classes from './company.module.css'
import type { LevelValues } from './company-values.ts'

const PLACES = ['first', 'second', 'third'] as const
/** After the level before it, and as long to pay as that gives. */
const DAYS_BETWEEN = 14
const FIRST_LEVEL = { afterDays: 7, payDays: 7, hasFee: false, hasInterest: false }

/** When customers who pay late are reminded, and what is claimed with each reminder. */
export function CompanyReminders() {
  const { t } = useTranslation('company')
  useNamedField()
  const { value: levels, set, isReadOnly, error } = useField<LevelValues[]>('reminderLevels')
  const add = () => {
    const last = levels.at(-1)
    const next =
      last === undefined ? FIRST_LEVEL : { ...last, afterDays: (last.afterDays ?? 0) + DAYS_BETWEEN, hasFee: true }
    set([...levels, next])
  }
  return (
    <Section title={t('sections.reminders')} summary={levels.length === 0 ? t('reminders.none') : t('reminders.means')}>
      {levels.map((_level, index) => (
        // Levels are not moved: the place is the key.
        <fieldset key={PLACES[index]} className={classes.level}>
          <legend>{t('reminders.level', { level: index + 1 })}</legend>
          <FormNumber
            name={`reminderLevels.${index}.afterDays`}
            label={t('reminders.afterDays')}
            isRequired
            unit={t('reminders.days')}
          />
          <FormNumber
            name={`reminderLevels.${index}.payDays`}
            label={t('reminders.payDays')}
            isRequired
            unit={t('reminders.days')}
          />
          <div className={classes.levelChecks}>
            <FormCheck name={`reminderLevels.${index}.hasFee`} label={t('reminders.hasFee')} />
            <FormCheck name={`reminderLevels.${index}.hasInterest`} label={t('reminders.hasInterest')} />
          </div>
          {isReadOnly ? null : (
            <IconButton
              icon="trash"
              label={t('reminders.remove', { level: index + 1 })}
              onClick={() => set(levels.toSpliced(index, 1))}
            />
          )}
        </fieldset>
      ))}
      {error === undefined ? null : (
        <p className={classes.levelError} role="alert">
          {error}
        </p>
      )}
      {isReadOnly || levels.length >= PLACES.length ? null : (
        <Button size="compact-sm" variant="subtle" leftSection={<Icon name="plus" />} onClick={add}>
          {t('reminders.add')}
        </Button>
      )}
      <p className={classes.levelHint}>{t('reminders.rates')}</p>
    </Section>
  )
}
