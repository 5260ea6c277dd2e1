//! Where chat requests go, from what a person writes as an endpoint.

/// The address to which chat requests are posted: of a server (`http://127.0.0.1:8080`), of its interface
/// (`https://host/some/v1`), or the address itself.
///
/// ```
/// let url = tandem_llm::completions_url("http://127.0.0.1:8080/");
/// assert_eq!(url.as_deref(), Ok("http://127.0.0.1:8080/v1/chat/completions"));
/// let url = tandem_llm::completions_url("https://host.example/api/v1");
/// assert_eq!(url.as_deref(), Ok("https://host.example/api/v1/chat/completions"));
/// ```
///
/// # Errors
/// It is no address of a web server; in words, with what would be right.
pub fn completions_url(endpoint: &str) -> Result<String, String> {
    let url = endpoint.trim().trim_end_matches('/');
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let (host, path) = rest.map_or(("", ""), |rest| rest.split_once('/').unwrap_or((rest, "")));
    if host.is_empty() || host.contains('@') || url.contains(['?', '#', '\\']) || url.chars().any(char::is_whitespace) {
        let right = "it must be an address as https://host/v1, without a name, a key or a query in it";
        return Err(format!("{endpoint:?} is no endpoint; {right}"));
    }
    Ok(match path {
        "" => format!("{url}/v1/chat/completions"),
        path if path.ends_with("chat/completions") => url.to_owned(),
        _ => format!("{url}/chat/completions"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_endpoint_is_refused() {
        for wrong in
            ["", "host", "ftp://host", "http://", "http:///v1", "https://me:key@host", "http://a b", "http://h?k=1"]
        {
            assert!(completions_url(wrong).is_err(), "{wrong}");
        }
        let whole = "http://localhost:1/v1/chat/completions";
        assert_eq!(completions_url(whole).as_deref(), Ok(whole));
    }
}
