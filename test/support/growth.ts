/** A value whose readings are counted, at any depth; the count does not depend on the machine. */
export function counted<T>(original: T) {
	let count = 0;
	const known = new WeakMap<object, object>();
	const wrap = (value: unknown): unknown => {
		if (typeof value !== 'object' || value === null) return value;
		const wrapped =
			known.get(value) ??
			new Proxy(value, {
				get(...of) {
					count++;
					return wrap(Reflect.get(...of));
				},
				has(...of) {
					count++;
					return Reflect.has(...of);
				},
				ownKeys(target) {
					const names = Reflect.ownKeys(target);
					count += names.length;
					return names;
				},
			});
		known.set(value, wrapped);
		return wrapped;
	};
	return {
		value: wrap(original) as T,
		/** Members read, and names listed, since it was made. */
		get count() {
			return count;
		},
	};
}
