import { Button, PinInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/fields/field.tsx'
import classes from './code-form.module.css'
import { useFirstFocus } from './use-first-focus.ts'

const LENGTH = 6

interface CodeFieldProps {
  value: string
  onChange: (value: string) => void
  /** All six digits are there */
  onComplete: (code: string) => void
  isWrong: boolean
  isBusy: boolean
}

/** The app's six digits, one in each box; pasted whole, too. */
function CodeField({ value, onChange, onComplete, isWrong, isBusy }: CodeFieldProps) {
  const { t } = useTranslation('auth')
  const first = useFirstFocus()
  // Without one of its own the component takes a second id after its first drawing, and new boxes
  // with it: the focus would be gone.
  const id = useId()
  return (
    <PinInput
      ref={first}
      id={id}
      aria-label={t('code.label')}
      length={LENGTH}
      type="number"
      placeholder=""
      gap={8}
      value={value}
      onChange={onChange}
      onComplete={onComplete}
      error={isWrong}
      readOnly={isBusy}
      classNames={{ root: classes.code, pinInput: classes.box, input: classes.digit }}
      getInputProps={(index) => ({
        'aria-label': t('code.digit', { position: index + 1 }),
        'aria-invalid': isWrong || undefined,
      })}
    />
  )
}

function RecoveryCodeField({ value, onChange }: Pick<CodeFieldProps, 'value' | 'onChange'>) {
  const { t } = useTranslation('auth')
  const input = useFirstFocus()
  return (
    <TextField
      ref={input}
      label={t('code.recoveryCode')}
      name="recoveryCode"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface CodeFormProps {
  onEnter: (code: string) => void
  isWrong: boolean
  isBusy: boolean
  submitLabel: string
  /** Setting up: only the app can answer, and this is said instead */
  text?: string
}

/** A code of the app, or where the phone is lost one of the recovery codes; a form of its own. */
export function CodeForm({ onEnter, isWrong, isBusy, submitLabel, text }: CodeFormProps) {
  const { t } = useTranslation('auth')
  const [isRecovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const [wasWrong, setWasWrong] = useState(isWrong)
  const [refusals, setRefusals] = useState(0)
  // A refused code is taken out, and the next one begins in the first box. A recovery code is long: one
  // letter of it may be put right.
  if (isWrong !== wasWrong) {
    setWasWrong(isWrong)
    if (isWrong) setRefusals(refusals + 1)
    if (isWrong && !isRecovery) setCode('')
  }
  const switchWay = () => {
    setRecovery(!isRecovery)
    setCode('')
  }
  const isWhole = isRecovery ? code.trim() !== '' : code.length === LENGTH
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole && !isBusy) onEnter(code.trim())
      }}
    >
      <p className={classes.text}>{isRecovery ? t('code.recoveryText') : (text ?? t('code.text'))}</p>
      {isRecovery ? (
        <RecoveryCodeField value={code} onChange={setCode} />
      ) : (
        <CodeField
          key={refusals}
          value={code}
          onChange={setCode}
          onComplete={onEnter}
          isWrong={isWrong && code === ''}
          isBusy={isBusy}
        />
      )}
      <Button type="submit" variant="filled" fullWidth loading={isBusy} disabled={!isWhole}>
        {submitLabel}
      </Button>
      {text === undefined ? (
        <Button variant="subtle" onClick={switchWay}>
          {isRecovery ? t('code.useApp') : t('code.useRecovery')}
        </Button>
      ) : null}
    </form>
  )
}
