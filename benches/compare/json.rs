//! A reader of the part of JSON that recorded figures use. Texts have no escapes.

/// A JSON value.
#[derive(Debug, PartialEq)]
pub(crate) enum Value {
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// An array.
    List(Vec<Value>),
    /// An object.
    Record(Vec<(String, Value)>),
}

/// The rest of the text to read.
struct Reader<'a> {
    rest: &'a str,
}

impl Value {
    /// Reads a text that consists of one value.
    pub(crate) fn parse(text: &str) -> Result<Value, String> {
        let mut reader = Reader { rest: text };
        let value = reader.value(0)?;
        reader.blanks();
        match reader.rest.is_empty() {
            true => Ok(value),
            false => Err(reader.fault("the end")),
        }
    }

    /// Returns the elements of an array.
    pub(crate) fn list(&self) -> Result<&[Value], String> {
        match self {
            Value::List(values) => Ok(values),
            other => Err(format!("not an array: {other:?}")),
        }
    }

    /// Returns the contents of a text.
    pub(crate) fn text(&self) -> Result<&str, String> {
        match self {
            Value::Text(text) => Ok(text),
            other => Err(format!("not a text: {other:?}")),
        }
    }

    /// Returns the value of a number.
    pub(crate) fn number(&self) -> Result<f64, String> {
        match self {
            Value::Number(number) => Ok(*number),
            other => Err(format!("not a number: {other:?}")),
        }
    }

    /// Returns the member `name` of an object.
    pub(crate) fn member(&self, name: &str) -> Result<&Value, String> {
        let found = match self {
            Value::Record(members) => members.iter().find(|(key, _)| key == name),
            _ => None,
        };
        found
            .map(|(_, value)| value)
            .ok_or_else(|| format!("no member {name}: {self:?}"))
    }
}

/// Maximum depth of nested arrays and objects.
const MAX_DEPTH: usize = 16;

impl Reader<'_> {
    fn fault(&self, wanted: &str) -> String {
        let found: String = self.rest.chars().take(20).collect();
        format!("{wanted} expected at `{found}`")
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Skips blanks and takes `sign` if it is the next character.
    fn takes(&mut self, sign: char) -> bool {
        self.blanks();
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > MAX_DEPTH {
            return Err(self.fault("less depth"));
        }
        if self.takes('[') {
            let items = self.items(']', |reader| reader.value(depth + 1))?;
            return Ok(Value::List(items));
        }
        if self.takes('{') {
            let members = self.items('}', |reader| {
                let name = reader.quoted()?;
                match reader.takes(':') {
                    true => Ok((name, reader.value(depth + 1)?)),
                    false => Err(reader.fault("`:`")),
                }
            })?;
            return Ok(Value::Record(members));
        }
        if self.rest.starts_with('"') {
            return Ok(Value::Text(self.quoted()?));
        }
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c))
            .unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at(end);
        let number = number.parse().map_err(|_| self.fault("a value"))?;
        self.rest = rest;
        Ok(Value::Number(number))
    }

    /// Reads items that commas separate, up to `end`.
    fn items<T>(
        &mut self,
        end: char,
        item: impl Fn(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let mut items = Vec::new();
        if self.takes(end) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.takes(end) {
                return Ok(items);
            }
            if !self.takes(',') {
                return Err(self.fault("`,`"));
            }
        }
    }

    fn quoted(&mut self) -> Result<String, String> {
        if !self.takes('"') {
            return Err(self.fault("a text"));
        }
        let (text, rest) = match self.rest.split_once('"') {
            Some((text, rest)) if !text.contains('\\') => (text, rest),
            _ => return Err(self.fault("a text without escapes")),
        };
        self.rest = rest;
        Ok(text.to_owned())
    }
}
