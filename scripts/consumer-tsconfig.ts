/** What a user compiles with: without the source condition, so that the built declarations are read. */
export function consumerTsconfig(declarations: string): object {
  return {
    compilerOptions: { module: 'nodenext', target: 'es2023', strict: true, skipLibCheck: true, types: ['node'] },
    files: [declarations],
  }
}
