//! From a file and the environment to a checked configuration.
//!
//! The idea: the file alone is read first, so that an error has its line. Then the variables are laid over it and the
//! whole is read again: what fails now is a variable's fault and is reported under its name. At last comes what the
//! types cannot say; its errors name a field, whose line is looked up where it has one.

use super::Config;
use std::fmt;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// What the environment's variables begin with: `TANDEM_SERVER__LISTEN__PORT` sets `listen.port`.
pub const ENV_PREFIX: &str = "TANDEM_SERVER__";

/// A configuration that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ConfigError {
    /// The file, if one was read.
    pub file: Option<PathBuf>,
    /// Its line, from 1, where the mistake has one.
    pub line: Option<usize>,
    /// The field, for instance `proxy.models.small.provider`, or the variable; empty where there is none.
    pub field: String,
    /// What is wrong, and what would be right.
    pub what: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}: ", file.display())?,
            (Some(file), None) => write!(f, "{}: ", file.display())?,
            (None, _) => {}
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.what)
    }
}

impl ConfigError {
    /// An error of a field, whose line is not known yet.
    pub(super) fn new(field: impl Into<String>, what: impl Into<String>) -> Self {
        Self { file: None, line: None, field: field.into(), what: what.into() }
    }

    fn at(mut self, file: Option<&Path>, line: Option<usize>) -> Self {
        self.file = file.map(Path::to_owned);
        self.line = line;
        self
    }
}

impl Config {
    /// Reads the file, if any, lays the process's environment over it, and checks the whole.
    pub fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        let text = match file {
            Some(path) => std::fs::read_to_string(path)
                .map_err(|error| ConfigError::new("", format!("cannot be read: {error}")).at(file, None))?,
            None => String::new(),
        };
        let environment = std::env::vars_os().filter_map(|(name, value)| {
            let name = name.into_string().ok().filter(|name| name.starts_with(ENV_PREFIX))?;
            Some((name, value.to_string_lossy().into_owned()))
        });
        Self::read(&text, file, environment)
    }

    /// Reads a text, lays variables over it, and checks the whole. `file` is for errors only.
    pub fn read(
        text: &str,
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let mut config: Self = toml::Deserializer::parse(text)
            .map_err(|error| (String::new(), error))
            .and_then(|document| {
                serde_path_to_error::deserialize(document)
                    .map_err(|error| (error.path().to_string(), error.into_inner()))
            })
            .map_err(|(field, error)| {
                let line = error.span().map(|span| line_of(text, span.start));
                ConfigError::new(field.trim_matches('.'), words(&error)).at(file, line)
            })?;
        let mut variables: Vec<_> = environment.into_iter().collect();
        variables.sort();
        if !variables.is_empty() {
            let table = toml::from_str(text).map_err(|error| ConfigError::new("", words(&error)))?;
            config = overlaid(&table, &variables)?;
        }
        config.check().map_err(|error| {
            let line = line_of_field(text, &error.field);
            let file = file.filter(|_| line.is_some() || variables.is_empty());
            error.at(file, line)
        })?;
        Ok(config)
    }
}

/// A variable, and what its text may mean.
struct Variable<'a> {
    name: &'a str,
    path: Vec<String>,
    meanings: Vec<Value>,
}

impl<'a> Variable<'a> {
    /// What the text means is decided by what the field takes: TOML, else the text itself, else texts between commas.
    fn new(name: &'a str, text: &str) -> Result<Self, ConfigError> {
        let path: Vec<String> =
            name.strip_prefix(ENV_PREFIX).unwrap_or(name).split("__").map(str::to_ascii_lowercase).collect();
        if path.iter().any(String::is_empty) {
            return Err(ConfigError::new(name, "names no field: parts are joined by two underscores"));
        }
        let as_toml =
            toml::from_str::<Table>(&format!("value = {text}")).ok().and_then(|mut read| read.remove("value"));
        let as_list = Value::from(text.split(',').map(|item| Value::from(item.trim())).collect::<Vec<_>>());
        // The last meaning is tried first.
        let meanings = [Some(as_list), Some(Value::from(text)), as_toml].into_iter().flatten().collect();
        Ok(Self { name, path, meanings })
    }
}

/// Lays the variables over the table. A variable that does not fit its field is given its next meaning, until all fit.
fn overlaid(table: &Table, variables: &[(String, String)]) -> Result<Config, ConfigError> {
    let mut variables =
        variables.iter().map(|(name, text)| Variable::new(name, text)).collect::<Result<Vec<_>, _>>()?;
    loop {
        let mut whole = table.clone();
        for Variable { name, path, meanings } in &variables {
            let Some(value) = meanings.last() else { continue };
            if !insert(&mut whole, path, value.clone()) {
                return Err(ConfigError::new(*name, "lies below a field that is no section"));
            }
        }
        let error = match serde_path_to_error::deserialize::<_, Config>(whole) {
            Ok(config) => return Ok(config),
            Err(error) => error,
        };
        let field = error.path().to_string();
        let at = field.split('[').next().unwrap_or_default();
        let Some(variable) = variables.iter_mut().find(|variable| {
            let path = variable.path.join(".");
            path == at || path.strip_prefix(at).is_some_and(|below| below.starts_with('.'))
        }) else {
            return Err(ConfigError::new(at, words(error.inner())));
        };
        variable.meanings.pop();
        if variable.meanings.is_empty() {
            return Err(ConfigError::new(variable.name, words(error.inner())));
        }
    }
}

/// Sets a value deep in a table, making the tables on the way; false if something on the way is no table.
fn insert(table: &mut Table, path: &[String], value: Value) -> bool {
    match path {
        [] => false,
        [last] => {
            table.insert(last.clone(), value);
            true
        }
        [first, rest @ ..] => match table.entry(first.clone()).or_insert_with(|| Value::Table(Table::new())) {
            Value::Table(inner) => insert(inner, rest, value),
            _ => false,
        },
    }
}

/// An error in words. Serde repeats a value of the wrong kind, and toml's own display its line; there may be a key in
/// them, so neither is used.
fn words(error: &toml::de::Error) -> String {
    let message = error.message();
    match message.rsplit_once(", expected ") {
        Some((found, expected)) if found.starts_with("invalid ") => format!("this is not {expected}, as it should be"),
        _ => message.to_owned(),
    }
}

/// The line of a byte, from 1.
fn line_of(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|&byte| byte == b'\n').count() + 1
}

/// The line where a field, or the innermost section of it that is there, stands.
fn line_of_field(text: &str, field: &str) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let mut table = document.get_ref();
    let mut found = None;
    for part in field.split('.') {
        let Some((key, value)) = table.iter().find(|(key, _)| key.get_ref().as_ref() == part) else { break };
        found = Some(Spanned::span(key).start);
        match value.get_ref() {
            DeValue::Table(inner) => table = inner,
            _ => break,
        }
    }
    found.map(|byte| line_of(text, byte))
}
