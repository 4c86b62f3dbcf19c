import { TextInput, type TextInputProps } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { Icon } from '../marks/icon.tsx'
import classes from './field.module.css'
import { TextArea } from './text-area.tsx'

/** What every field can say of itself. */
export interface FieldMarks {
  label: ReactNode
  /** Small beside the label: `optional`, a time zone, `type over` */
  note?: ReactNode
  /** Below the field while nothing is wrong */
  hint?: ReactNode
  /** What is wrong */
  error?: ReactNode
  isRequired?: boolean
  /** Changed and not saved: amber edge */
  isChanged?: boolean
  /** Calculated, may be typed over: dashed */
  isCalculated?: boolean
  /** Figures stand at the right */
  isNumeric?: boolean
}

/** The marks as the props of any Mantine input, for fields that have no wrapper here. */
export function fieldProps({
  label,
  note,
  hint,
  error,
  isRequired = false,
  isChanged = false,
  isCalculated = false,
  isNumeric = false,
}: FieldMarks) {
  return {
    label: note === undefined ? label : <LabelText note={note}>{label}</LabelText>,
    description: error ? undefined : hint,
    error: error ? <ErrorText>{error}</ErrorText> : undefined,
    withAsterisk: isRequired,
    wrapperProps: {
      'data-changed': isChanged || undefined,
      'data-calculated': isCalculated || undefined,
      'data-align': isNumeric ? 'end' : undefined,
    },
    'aria-required': isRequired || undefined,
  }
}

function LabelText({ children, note }: { children: ReactNode; note: ReactNode }) {
  return (
    <>
      {children} <span className={classes.note}>{note}</span>
    </>
  )
}

function ErrorText({ children }: { children: ReactNode }) {
  return (
    <>
      <Icon name="alert" size={13} className={classes.errorIcon} />
      <span>{children}</span>
    </>
  )
}

/** Mantine's props that the marks stand for */
export type OwnProps = 'label' | 'error' | 'description' | 'withAsterisk' | 'required' | 'wrapperProps'
export type TextFieldProps = FieldMarks & Omit<TextInputProps, OwnProps>

/** One line of text; of figures with `isNumeric`. */
export function TextField({
  label,
  note,
  hint,
  error,
  isRequired,
  isChanged,
  isCalculated,
  isNumeric,
  ...input
}: TextFieldProps) {
  return (
    <TextInput
      {...fieldProps({ label, note, hint, error, isRequired, isChanged, isCalculated, isNumeric })}
      {...input}
    />
  )
}

/** Several lines of text; it grows with them. */
export function TextAreaField({
  label,
  note,
  hint,
  error,
  isRequired,
  isChanged,
  isCalculated,
  ...input
}: FieldMarks & Omit<ComponentProps<typeof TextArea>, OwnProps>) {
  return <TextArea {...fieldProps({ label, note, hint, error, isRequired, isChanged, isCalculated })} {...input} />
}

/** What nobody can change here: grey, without a border. */
export function ReadOnlyField({ label, note, children }: { label: ReactNode; note?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.readOnly}>
      <span className={classes.readOnlyLabel}>
        {label} {note === undefined ? null : <span className={classes.note}>{note}</span>}
      </span>
      <output className={classes.readOnlyValue}>{children}</output>
    </div>
  )
}
