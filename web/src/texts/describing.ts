/** How captions, fields and attributes are changed. */
export const describing = {
  attributes: 'Attributes',
  attribute: (name: string, value: string | number | boolean) => `${name}: ${value}`,
  remove: (name: string) => `Remove ${name}`,
  noValue: 'None',
  noNumber: 'This is no number.',
  booleans: ['No', 'Yes'],
} as const;
