import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { customerTabOf } from './customer-values.ts'

/** Leads to one field of a customer's form, in the part in which it stands. */
export function CustomerFieldLink({ id, path, children }: { id: number; path: string; children: ReactNode }) {
  const tab = customerTabOf(path)
  return (
    <Link to={`/customer/${id}/edit` as string} search={(tab === 'general' ? {} : { tab }) as never} hash={path}>
      {children}
    </Link>
  )
}
