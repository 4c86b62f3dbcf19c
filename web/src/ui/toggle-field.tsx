import { Checkbox, Switch, type CheckboxProps, type SwitchProps } from '@mantine/core'

/** Yes or no, saved with the form. */
export function CheckField({ isChanged = false, ...input }: CheckboxProps & { isChanged?: boolean }) {
  return <Checkbox {...input} wrapperProps={{ 'data-changed': isChanged || undefined }} />
}

/** On or off. */
export function SwitchField({ isChanged = false, ...input }: SwitchProps & { isChanged?: boolean }) {
  return <Switch {...input} wrapperProps={{ 'data-changed': isChanged || undefined }} />
}
