import { useTranslation } from 'react-i18next'
import classes from './marked.module.css'
import { notFound, type Said, type Sought } from './paper-marks.ts'

/** Says below a paper what the marks are, and what it should say and does not. */
export function MarksFoot({ sought, said }: { sought: readonly Sought[]; said: readonly Said[] }) {
  const { t } = useTranslation('invoice-check')
  if (said.length === 0) return null
  const missing = notFound(sought, said)
  return (
    <p className={classes.foot}>
      {t('paper.marked')}
      {missing.length === 0 ? null : (
        <b>{t('paper.notFound', { names: missing.map((key) => t(`key.${key}`)).join(', ') })}</b>
      )}
    </p>
  )
}
