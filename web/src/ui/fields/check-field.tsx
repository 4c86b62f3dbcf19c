import { Checkbox, type CheckboxProps } from '@mantine/core'

/** Yes or no, saved with the form. */
export function CheckField({ isChanged = false, ...input }: CheckboxProps & { isChanged?: boolean }) {
  return <Checkbox {...input} wrapperProps={{ 'data-changed': isChanged || undefined }} />
}
